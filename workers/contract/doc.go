// Package contract turns an artifact's authored files into one script and reads what the operation says of itself: its schemas, its write
// declaration, its literal questions. It also bundles the product's own TypeScript: the `pomerado/runtime` module and the programs that
// run in pages.
//
// It runs in a jailed contract worker, the only place where authored source is parsed: it reads no file, looks up no environment and
// answers from the bytes it is given. It knows neither the wire nor the supervisor.
package contract
