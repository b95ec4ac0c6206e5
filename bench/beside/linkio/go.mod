module github.com/ian-kent/linkio

go 1.20
