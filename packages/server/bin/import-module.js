// Imports a module that is no part of the bundle: the bundler turns import() there into require().
module.exports = (url) => import(url);
