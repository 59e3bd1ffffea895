import type { TSchema } from 'typebox'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { invariant } from '../../primitives/errors.ts'
import { withMeanings } from './record-fields.ts'

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
  /** Form of each object that was shown: endpoints share most of their schemas. */
  const shown_as = new WeakMap<object, Json>()
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
  const show = (value: unknown): Json => {
    if (value === null || typeof value !== 'object') return value as Json
    const before = shown_as.get(value)
    if (before !== undefined) return before
    const shown = Array.isArray(value) ? value.map(show) : showObject(value)
    shown_as.set(value, shown)
    return shown
  }
  const showObject = (value: object): Json => {
    // JSON has neither symbols, which typebox keeps, nor what is undefined.
    const parts = Object.entries(value).filter(([, part]) => part !== undefined)
    const shown = Object.fromEntries(parts.map(([key, part]) => [key, show(part)]))
    // A property may itself be named `title`; its value is then a schema, not a text.
    if (typeof shown.title !== 'string') return shown
    const { title, properties } = shown
    return named(
      title,
      properties === undefined
        ? shown
        : { ...shown, properties: withMeanings(title, properties as Readonly<Record<string, JsonObject>>) },
    )
  }
  return {
    show,
    all: () => Object.fromEntries([...known].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
