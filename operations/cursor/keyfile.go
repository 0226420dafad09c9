package cursor

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

// maxKeys bounds a text of keys.
const maxKeys = 16

// ParseKeys reads keys from a text: a secret a line, in hexadecimal or base64, at least 32 bytes each; empty lines and lines that begin
// with # count for nothing. The first signs new cursors, those below it are earlier ones that are still taken. A key's id comes from its
// secret. Errors name the line and never the secret.
func ParseKeys(text string) ([]Key, error) {
	var keys []Key
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		secret, ok := decodeSecret(line)
		if !ok {
			return nil, fmt.Errorf("line %d is neither hexadecimal nor base64", number)
		}
		if len(secret) < minSecret {
			return nil, fmt.Errorf("the secret in line %d has %d bytes, fewer than %d", number, len(secret), minSecret)
		}
		if keys = append(keys, keyOf(secret)); len(keys) > maxKeys {
			return nil, fmt.Errorf("there are more than %d secrets", maxKeys)
		}
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("there is no secret in it")
	}
	if _, err := NewKeys(keys[0], keys[1:]...); err != nil {
		return nil, fmt.Errorf("a secret is there twice")
	}
	return keys, nil
}

func decodeSecret(line string) ([]byte, bool) {
	if secret, err := hex.DecodeString(line); err == nil {
		return secret, true
	}
	plain := strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(line, "="))
	secret, err := base64.RawURLEncoding.Strict().DecodeString(plain)
	return secret, err == nil
}

// keyOf names a key by its secret, so that whoever holds the secret finds the cursors it signed.
func keyOf(secret []byte) Key {
	sum := sha256.Sum256(append([]byte("cursor key\x00"), secret...))
	return Key{ID: base64.RawURLEncoding.EncodeToString(sum[:6]), Secret: secret}
}

// Text writes a key's secret as ParseKeys reads it, with the line's end.
func (k Key) Text() string { return hex.EncodeToString(k.Secret) + "\n" }
