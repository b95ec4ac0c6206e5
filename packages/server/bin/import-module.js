// Imports a module. Not in the bundle, because the bundler would turn import() into require().
module.exports = (url) => import(url);
