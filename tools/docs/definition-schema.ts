import { DefinitionSchema } from '../../pipelines/index/definition-schema.ts'

/** The published JSON Schema of index definitions: the very one that definitions are checked against. */
export function renderDefinitionSchema(): string {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...DefinitionSchema }
  return `${JSON.stringify(schema, null, 2)}\n`
}
