import { DefinitionSchema } from '../../pipelines/index/definition-schema.ts'
import { ListingFile } from '../../service/trading/listing-policy-file.ts'

/** The published JSON Schema of index definitions: the very one that definitions are checked against. */
export function renderDefinitionSchema(): string {
  return published(DefinitionSchema)
}

/** The same of listing policies. */
export function renderListingSchema(): string {
  return published(ListingFile)
}

function published(schema: object): string {
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, null, 2)}\n`
}
