// Package ipc is the border between a supervisor and its workers as plain data: the limits of every message, the closed lists
// of codes and causes, the strict checks of each message on arrival, and blobs, which are values too large for one message.
//
// It runs in both processes. It knows neither processes nor sockets nor what a run is: package plugin/host and plugin/serve
// carry the messages, packages supervisor and workers give them meaning. CDP frames have a package of their own, ipc/cdp.
package ipc

// Sizes are in bytes unless a name says otherwise. A limit named after a character count counts UTF-16 units, as JavaScript
// does, because authored code is told these limits in JavaScript.
const (
	// MaxMessage bounds one encoded HostMessage or WorkerMessage.
	MaxMessage = 1 << 20
	// MaxFrame bounds one CDP frame on the second socket, either way.
	MaxFrame = 16 << 20
	// MaxChunk bounds the data of one Chunk, so that a chunk and its envelope fit a message.
	MaxChunk = 512 << 10
	// MaxBlob bounds one assembled blob.
	MaxBlob = 24 << 20
	// MaxBlobs bounds how many blobs a receiver holds that nobody has taken yet.
	MaxBlobs = 16

	// MaxListPosition bounds the JSON of where a list cursor says to go on (spec artifact-and-serving.md §8.2).
	MaxListPosition = 1360
	// MaxInput and MaxOutput bound an operation's input and output as JSON text.
	MaxInput  = 1 << 20
	MaxOutput = 1 << 20
	// MaxCode bounds one piece of page code.
	MaxCode = 1 << 20
	// MaxHTTPRequest bounds one request of an HTTP version, its body included, as JSON text.
	MaxHTTPRequest = 2 << 20
	// MaxConsole bounds what one run may write to each of its two console streams.
	MaxConsole = 1 << 20
	// MaxInline bounds a text that travels inside a message although it may be long: schemas, cookies, answers, console output.
	// Longer console output travels as a blob.
	MaxInline = 384 << 10

	// MaxErrorText bounds an error's message.
	MaxErrorText = 4096
	// MaxLogLine bounds one line of a run's progress.
	MaxLogLine = 4096
	// MaxFrameText bounds the position of an error in authored source.
	MaxFrameText = 300
	// MaxURL bounds an address that a message names.
	MaxURL = 8192
	// MaxPath bounds the path of an artifact's file.
	MaxPath = 1024
	// MaxName bounds an operation's name, and any other short free text.
	MaxName = 200
	// MaxID bounds ids that Chromium or the supervisor gives out: targets, sessions, contexts, downloads, file slots.
	MaxID = 200

	// MaxFiles, MaxFile and MaxFileSet bound an artifact's files: how many, one, and all together.
	MaxFiles   = 4096
	MaxFile    = 8 << 20
	MaxFileSet = 16 << 20

	// MaxQuestions bounds one Ask; MaxOptions bounds one question's options, MaxPromptChars its prompt and so on.
	MaxQuestions    = 8
	MaxOptions      = 50
	MaxPromptChars  = 2000
	MaxLabelChars   = 256
	MaxMaskedChars  = 64
	MaxAnswerChars  = 16384
	MaxDialogChars  = 16384
	MaxRefChars     = 2048
	MaxFileName     = 255
	MaxCommits      = 64
	MaxCommitName   = 48
	MaxAvailable    = 100
	MaxInputIssues  = 20
	MaxKind         = 40
	MaxPermissions  = 32
	MaxJailLayers   = 8
	MaxFileBytes    = 25 << 20
	MaxCollectMS    = 300_000
	MaxCallMS       = 300_000
	MaxRemainingMS  = 24 * 60 * 60 * 1000
	MaxSourceLine   = 1 << 24
	MaxSourceColumn = 1 << 24
)
