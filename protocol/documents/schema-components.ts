import type { TSchema } from 'typebox'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { invariant } from '../../primitives/errors.ts'

/** Plain JSON, as documents hold it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** Collects the schemas with a title, each once, and gives references to them. */
export type SchemaComponents = {
  /** The schema as a document shows it: a reference where it has a title, and where its parts have one. */
  readonly show: (schema: TSchema) => Json
  /** What was referred to, by title, in the order of the alphabet. */
  readonly all: () => JsonObject
}

/** @param path  where the document keeps them, such as `#/components/schemas` */
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
    // A property may be named title too: then it is a schema, no text.
    return typeof shown.title === 'string' ? named(shown.title, shown) : shown
  }
  return {
    // The copy drops what a schema carries beside its JSON.
    show: (schema) => show(JSON.parse(JSON.stringify(schema)) as Json),
    all: () => Object.fromEntries([...known].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
