import { readDefinition } from '../../operations/index/apply-definitions.ts'
import { sampleDefinitions } from '../../operations/sample/sample-worlds.ts'

/** Whether the levels of an index are published as the clock goes on: the sample is about a week that is over. */
export async function followedIndexes(): Promise<(index_id: string) => boolean> {
  const definitions = await Promise.all(sampleDefinitions().map(readDefinition))
  const sample = new Set<string>(definitions.map(({ index }) => index.index_id))
  return (index_id) => !sample.has(index_id)
}
