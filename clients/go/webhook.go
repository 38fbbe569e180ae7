package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// verify returns whether the service signed this body within the last five minutes.
func verify(secret string, header http.Header, body []byte) bool {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("webhook-id"), header.Get("webhook-timestamp"), body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	sentAt, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	isRecent := err == nil && time.Since(time.Unix(sentAt, 0)).Abs() <= 5*time.Minute
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if isRecent && hmac.Equal([]byte(expected), []byte(given)) {
			return true
		}
	}
	return false
}
