module signup

go 1.21
