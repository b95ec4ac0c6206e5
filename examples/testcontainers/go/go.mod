module example

go 1.26.0

require github.com/testcontainers/testcontainers-go v0.45.0
