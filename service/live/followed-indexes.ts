import { readDefinition } from '../../operations/index/apply-definitions.ts'
import { sampleDefinitions } from '../../operations/sample/sample-worlds.ts'

/** Returns whether an index is published live; the sample indexes cover a past week only. */
export async function followedIndexes(): Promise<(index_id: string) => boolean> {
  const definitions = await Promise.all(sampleDefinitions().map(readDefinition))
  const sample = new Set<string>(definitions.map(({ index }) => index.index_id))
  return (index_id) => !sample.has(index_id)
}
