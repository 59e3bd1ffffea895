import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { homeFactsFile, loadScoring, scoringOfHome } from '../../../operations/rating/load-scoring.ts'
import { ratingHosts } from '../../../operations/rating/submit-rating.ts'
import { haveLiveFacts } from '../../../service/live/live-facts.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const world = (generation: number, start: string) => ({ generation, start })

test('a simulated world is rated by the published facts and by those of its invented sources, written anew for every world', async () => {
  const home = tempFolder()
  expect(scoringOfHome(home)).toEqual({ facts: null, rubric: null })
  await haveLiveFacts(home, world(1, '2026-01-01T00:00:00Z'))
  const files = scoringOfHome(home)
  expect(files.facts).toBe(homeFactsFile(home))
  const [{ facts }, { facts: published }] = await Promise.all([loadScoring(files), loadScoring()])
  expect(facts.facts).toEqual({ facts_id: 'fct_simulated', version: '1.simulated-1' })
  expect(facts.venues).toEqual(published.venues)
  expect(facts.sources.slice(0, -2)).toEqual(published.sources)
  const invented = facts.sources.slice(-2)
  expect(invented.map(({ source_id, stated_at }) => [source_id, stated_at])).toEqual([
    ['simulated_bureau', '2026-01-01T00:00:00Z'],
    ['simulated_gazette', '2026-01-01T00:00:00Z'],
  ])
  for (const { name, note } of invented) expect(`${name}: ${note}`).toMatch(/^Simulated .*: invented/)
  expect(await ratingHosts(files.facts)).toContain('bureau.simulated.example')
  expect(await ratingHosts()).not.toContain('bureau.simulated.example')

  const before = readFileSync(homeFactsFile(home), 'utf8')
  await haveLiveFacts(home, world(1, '2026-01-02T00:00:00Z'))
  expect(readFileSync(homeFactsFile(home), 'utf8')).toBe(before)
  await haveLiveFacts(home, world(2, '2026-01-15T00:00:00Z'))
  expect((await loadScoring(scoringOfHome(home))).facts.sources.at(-1)!.stated_at).toBe('2026-01-15T00:00:00Z')
})

test('facts that somebody has put into the home are left alone, and files that are named come first', async () => {
  const home = tempFolder()
  const own = JSON.stringify({ facts: { facts_id: 'fct_own', version: '7' }, venues: [], sources: [] })
  writeFileSync(homeFactsFile(home), own)
  await haveLiveFacts(home, world(1, '2026-01-01T00:00:00Z'))
  expect(readFileSync(homeFactsFile(home), 'utf8')).toBe(own)
  expect(scoringOfHome(home, { facts: 'named.yaml' })).toEqual({ facts: 'named.yaml', rubric: null })
})

test('no host is listed for a source that has none', async () => {
  expect(await ratingHosts()).not.toContain('')
})
