// Generates JSON schemas from the wire types of packages/protocol. Comments become descriptions, tags such as
// `@maxLength 300` keywords. All numbers on the wire are integers.
import { createGenerator } from 'ts-json-schema-generator';

/** The schemas of all objects by name, with references as in Fastify: `Email#`. */
export function wireSchemas() {
  const { definitions } = createGenerator({
    path: 'packages/protocol/src/wire*.ts',
    tsconfig: 'packages/protocol/tsconfig.json',
    additionalProperties: true,
    skipTypeCheck: true,
  }).createSchema('*');
  const written = JSON.stringify(definitions).replaceAll('"number"', '"integer"');
  const whole = JSON.parse(written.replace(/"const":("[^"]*")/g, '"enum":[$1]'));
  const isShape = (name) => whole[name].properties !== undefined;
  const linked = JSON.stringify(whole, (_, value) => {
    const name = value?.$ref?.split('/').at(-1);
    if (name === undefined) return value;
    const { $ref, ...rest } = value;
    return isShape(name) ? { ...rest, $ref: `${name}#` } : { ...whole[name], ...rest };
  });
  const shapes = Object.entries(JSON.parse(linked)).filter(([name]) => isShape(name));
  return new Map(shapes.sort(([one], [other]) => (one < other ? -1 : 1)));
}
