// Package linkio has what MailHog's chaos monkey asks of the module of this name, which Go's proxy does not have. It
// limits nothing: MailHog only uses it with -invite-jim, and no benchmark does.
package linkio

import "io"

type Throughput float64

const BytePerSecond Throughput = 1

type Link struct{}

func NewLink(Throughput) *Link { return &Link{} }

func (*Link) NewLinkReader(reader io.Reader) io.Reader { return reader }

func (*Link) NewLinkWriter(writer io.Writer) io.Writer { return writer }
