/** Every operation of the API document with its method and path, in the document's order. */
export function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** The codes of the errors that an operation may answer. */
export function errorCodesOf({ responses }) {
  return Object.values(responses).flatMap(({ headers }) => headers?.['Mayfly-Error']?.schema.enum ?? []);
}
