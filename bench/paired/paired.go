// Package paired measures several ways of doing one thing by turns, so that whatever else the machine does meets all of them, and prints
// their medians. It belongs to the benchmarks and knows nothing of what they measure.
package paired

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// Side is one way of doing the thing. Once does it once and returns what it measured, by the name of the figure.
type Side struct {
	Name string
	Once func(context.Context) (map[string]float64, error)
}

// Figures are all values of one side, by the name of the figure, in the order measured.
type Figures map[string][]float64

// Run does a warm-up round, whose figures are dropped, and then rounds more, every side once a round.
func Run(ctx context.Context, rounds int, sides ...Side) ([]Figures, error) {
	all := make([]Figures, len(sides))
	for round := range rounds + 1 {
		for i, side := range sides {
			figures, err := side.Once(ctx)
			if err != nil {
				return nil, fmt.Errorf("round %d of %s: %w", round, side.Name, err)
			}
			if round == 0 {
				all[i] = Figures{}
				continue
			}
			for name, value := range figures {
				all[i][name] = append(all[i][name], value)
			}
		}
	}
	return all, nil
}

// Median is the middle of the values, 0 when there are none.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// Row is one line of a report: a figure of two sides, and the most their ratio may be (0: no bound).
type Row struct {
	Figure, Unit string
	Ours, Theirs Figures
	AgainstName  string
	Most         float64
}

// Print writes the rows as a table and reports whether every bound is kept.
func Print(w io.Writer, rows ...Row) bool {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "figure\tours\t(min-max)\ttheirs\t(min-max)\tratio\tat most\t")
	kept := true
	for _, row := range rows {
		ours, theirs := row.Ours[row.Figure], row.Theirs[row.Figure]
		ratio := Median(ours) / Median(theirs)
		bound, mark := "-", ""
		if row.Most > 0 {
			bound = fmt.Sprintf("%.2f", row.Most)
			if len(ours) == 0 || len(theirs) == 0 || ratio > row.Most {
				kept, mark = false, "OVER"
			}
		}
		fmt.Fprintf(table, "%s against %s\t%.1f %s\t%s\t%.1f %s\t%s\t%.2f\t%s\t%s\n", row.Figure, row.AgainstName,
			Median(ours), row.Unit, spread(ours), Median(theirs), row.Unit, spread(theirs), ratio, bound, mark)
	}
	_ = table.Flush() // stdout; nothing else could be said of a failure
	return kept
}

func spread(values []float64) string {
	if len(values) == 0 {
		return "(none)"
	}
	return fmt.Sprintf("(%.1f-%.1f)", slices.Min(values), slices.Max(values))
}
