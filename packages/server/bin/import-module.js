// Imports a module outside the bundle: the bundler turns import() there into require().
module.exports = (url) => import(url);
