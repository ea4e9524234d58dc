// A TLS peer by Go's crypto/tls, which allows X25519MLKEM768 alone.
//
// Usage: server CERTIFICATE KEY, which prints its address, and echoes a line; or client CERTIFICATE ADDRESS,
// which sends a line and prints the answer. Both print the group of the handshake.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

func main() {
	groups := []tls.CurveID{tls.X25519MLKEM768}
	switch os.Args[1] {
	case "server":
		certificate, err := tls.LoadX509KeyPair(os.Args[2], os.Args[3])
		check(err)
		config := &tls.Config{Certificates: []tls.Certificate{certificate}, CurvePreferences: groups}
		listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
		check(err)
		fmt.Println(listener.Addr())
		connection, err := listener.Accept()
		check(err)
		line, err := bufio.NewReader(connection).ReadString('\n')
		check(err)
		fmt.Fprint(connection, line)
		fmt.Println(connection.(*tls.Conn).ConnectionState().CurveID)
		connection.Close()
	case "client":
		roots := x509.NewCertPool()
		pem, err := os.ReadFile(os.Args[2])
		check(err)
		roots.AppendCertsFromPEM(pem)
		config := &tls.Config{RootCAs: roots, ServerName: "localhost", CurvePreferences: groups}
		connection, err := tls.Dial("tcp", os.Args[3], config)
		check(err)
		fmt.Fprintln(connection, "hello")
		line, err := bufio.NewReader(connection).ReadString('\n')
		check(err)
		fmt.Print(line)
		fmt.Println(connection.ConnectionState().CurveID)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
