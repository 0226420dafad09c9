package browser

import (
	"slices"
	"strconv"
	"strings"
)

// formatCallLog is the call log as Playwright appends it to an error: repeated runs of lines are shown once with their count.
func formatCallLog(log []string) string {
	if !slices.ContainsFunc(log, func(line string) bool { return line != "" }) {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nCall log:\n")
	for i, block := range repeatedRuns(log) {
		prefix := strconv.Itoa(block.count) + " × "
		for j, line := range block.lines {
			if i > 0 || j > 0 {
				b.WriteByte('\n')
			}
			text := strings.TrimSpace(line)
			b.WriteString("  ")
			b.WriteString(line[:len(line)-len(strings.TrimLeft(line, " \t\n\r"))])
			switch {
			case block.count == 1:
				b.WriteString("- ")
			case j == 0:
				b.WriteString(prefix)
			default:
				b.WriteString(strings.Repeat(" ", len([]rune(prefix))-2) + "- ")
			}
			b.WriteString(text)
		}
	}
	b.WriteByte('\n')
	return b.String()
}

type logRun struct {
	lines []string
	count int
}

// longestLog bounds the quadratic search for repetitions; longer logs keep their head and tail.
const longestLog = 400

// repeatedRuns cuts a log into runs: at each line, the repetition that covers most lines.
func repeatedRuns(log []string) []logRun {
	if len(log) > longestLog {
		half := longestLog / 2
		log = slices.Concat(log[:half], []string{"…"}, log[len(log)-half:])
	}
	var runs []logRun
	for i := 0; i < len(log); {
		best := logRun{log[i : i+1], 1}
		for length := 1; i+2*length <= len(log); length++ {
			unit := log[i : i+length]
			count := 1
			for i+(count+1)*length <= len(log) && slices.Equal(log[i+count*length:i+(count+1)*length], unit) {
				count++
			}
			if count > 1 && count*length > best.count*len(best.lines) {
				best = logRun{unit, count}
			}
		}
		runs = append(runs, best)
		i += best.count * len(best.lines)
	}
	return runs
}

// formatFramedLog is the log of waitForEvent, waitForURL and their like.
func formatFramedLog(log []string) string {
	if len(log) == 0 {
		return ""
	}
	const side = "==========================="
	return "\n" + side + " logs " + side + "\n" + strings.Join(log, "\n") + "\n" + strings.Repeat("=", 60)
}
