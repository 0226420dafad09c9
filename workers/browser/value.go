package browser

import (
	"math"
	"math/big"
	"time"
)

// Value is one JavaScript value that goes to or comes from a page. It is one of
//
//	nil            null                     bool, float64, string
//	Undefined      undefined                *big.Int        a BigInt
//	Date, URL, RegExp                       *ErrorValue     an Error
//	*Array, *Object                         TypedArray, ArrayBuffer
//	*JSHandle, *ElementHandle (arguments only)
//	FunctionName (arguments only)
//
// NaN, the infinities and -0 are float64 values. A cycle or an object met twice is the same *Array or *Object pointer met
// twice. Map, Set and class instances arrive as plain objects, as Playwright sends them. Whoever builds arguments may use int.
type Value any

// Undefined is JavaScript's undefined.
type Undefined struct{}

// Date is a JavaScript Date in milliseconds since the epoch; NaN for an invalid date.
type Date float64

// Time is the moment d names, in UTC.
func (d Date) Time() time.Time { return time.UnixMilli(int64(d)).UTC() }

// Valid reports whether d names a moment.
func (d Date) Valid() bool { return !math.IsNaN(float64(d)) }

// URL is the href of a JavaScript URL object.
type URL string

// RegExp is a JavaScript regular expression. Go never executes it: it travels to the page or stays a description.
type RegExp struct {
	Source, Flags string
}

// String is the literal as JavaScript prints it.
func (r RegExp) String() string { return "/" + r.Source + "/" + r.Flags }

// ErrorValue is a JavaScript Error met as a value (not one thrown).
type ErrorValue struct {
	Name, Message, Stack string
}

// Array is a JavaScript array.
type Array struct {
	Items []Value
}

// Object is a plain JavaScript object, keys in their order.
type Object struct {
	Properties []Property
}

// Property is one own enumerable property.
type Property struct {
	Key   string
	Value Value
}

// Get answers the value of key and whether it is there.
func (o *Object) Get(key string) (Value, bool) {
	for i := range o.Properties {
		if o.Properties[i].Key == key {
			return o.Properties[i].Value, true
		}
	}
	return nil, false
}

// Set appends key or replaces its value.
func (o *Object) Set(key string, value Value) {
	for i := range o.Properties {
		if o.Properties[i].Key == key {
			o.Properties[i].Value = value
			return
		}
	}
	o.Properties = append(o.Properties, Property{key, value})
}

// TypedArray is a JavaScript typed array: its constructor's name ("Uint8Array", "BigInt64Array", …) and its bytes in the
// machine's order (little endian on every platform Chromium runs on).
type TypedArray struct {
	Constructor string
	Bytes       []byte
}

// ArrayBuffer is a JavaScript ArrayBuffer.
type ArrayBuffer []byte

// FunctionName is a function argument: calling it in the page calls the binding of that name (see Page.ExposeBinding).
type FunctionName string

// BigInt makes a BigInt value from its decimal digits; ok is false when they are not an integer.
func BigInt(digits string) (value *big.Int, ok bool) { return new(big.Int).SetString(digits, 10) }

// Script is source text for the page.
type Script struct {
	Source string
	// IsFunction tells a function from an expression. Nil: decided in the page by what the text evaluates to.
	IsFunction *bool
}

// Function is the Script of a function's source text.
func Function(source string) Script { return Script{source, ptr(true)} }

// Expression is the Script of an expression; when it evaluates to a function, that is called.
func Expression(source string) Script { return Script{Source: source} }

func ptr[T any](v T) *T { return &v }
