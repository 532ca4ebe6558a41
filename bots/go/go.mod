module arena/bots

go 1.22

require arena/sdk v0.0.0

require (
	github.com/vmihailenco/msgpack/v5 v5.4.1 // indirect
	github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
)

replace arena/sdk => ../../protocol/go
