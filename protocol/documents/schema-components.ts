import type { TSchema } from 'typebox'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { invariant } from '../../primitives/errors.ts'

/** JSON value of a document. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** Collects the schemas that have a title, each once, and returns references to them. */
export type SchemaComponents = {
  /** The schema as it appears in a document: titled parts, and the schema itself if titled, become references. */
  readonly show: (schema: TSchema) => Json
  /** Every schema referred to, sorted by title. */
  readonly all: () => JsonObject
}

/** Creates an empty collection. @param path  location in the document, such as `#/components/schemas` */
export function createSchemaComponents(path: string): SchemaComponents {
  const known = new Map<string, Json>()
  const named = (title: string, body: JsonObject): Json => {
    const name = title.replaceAll(/[^A-Za-z0-9]+/g, '_')
    const before = known.get(name)
    invariant(
      before === undefined || canonicalJson(before) === canonicalJson(body),
      `two schemas have the title ${title}: a reference to it would say the wrong one`,
    )
    known.set(name, body)
    return { $ref: `${path}/${name}` }
  }
  const show = (value: Json): Json => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(show)
    const shown = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, show(part as Json)]))
    // A property may itself be named `title`; its value is then a schema, not a text.
    return typeof shown.title === 'string' ? named(shown.title, shown) : shown
  }
  return {
    // The copy drops everything that is not JSON, such as typebox symbols.
    show: (schema) => show(JSON.parse(JSON.stringify(schema)) as Json),
    all: () => Object.fromEntries([...known].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
