// Imports a module that is no part of the bundle: the files there are scripts, in which Node's import() is experimental.
module.exports = (url) => import(url);
