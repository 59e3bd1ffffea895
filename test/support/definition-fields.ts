import type { DefinitionFile } from '../../pipelines/index/definition-schema.ts'

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** Returns the path of every field of a schema that holds a value, such as `versions[].fixing.at`. */
export function leafPaths(schema: object, path = ''): ReadonlySet<string> {
  const { properties, items, anyOf } = schema as Schema
  const paths =
    properties !== undefined
      ? Object.entries(properties).flatMap(([name, one]) => [...leafPaths(one, path === '' ? name : `${path}.${name}`)])
      : items !== undefined
        ? [...leafPaths(items, `${path}[]`)]
        : anyOf !== undefined
          ? anyOf.flatMap((one) => [...leafPaths(one, path)])
          : [path]
  return new Set(paths)
}

/** Returns a definition with one field changed. `weights` moves weight between two constituents, which keeps their sum. */
export function changedAt(file: DefinitionFile, path: string, to: unknown): DefinitionFile {
  const copy = structuredClone(file) as unknown as Record<string, unknown>
  if (to === 'weights') {
    const constituents = file.versions[0]!.constituents!
    const [first, last] = [constituents[0]!.target_weight!, constituents.at(-1)!.target_weight!]
    const copied = (copy.versions as DefinitionFile['versions'])[0]!.constituents as { target_weight?: string }[]
    copied[0]!.target_weight = last
    copied.at(-1)!.target_weight = first
    return copy as DefinitionFile
  }
  const names = path.split('.')
  const parent = names
    .slice(0, -1)
    .reduce<Record<string, unknown>>((value, name) => value[name] as Record<string, unknown>, copy)
  parent[names.at(-1)!] = to
  return copy as DefinitionFile
}
