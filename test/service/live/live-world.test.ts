import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseDefinition } from '../../../pipelines/index/parse-definition.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { LIVE_INDEX_IDS, writeLiveDefinitions } from '../../../service/live/live-definitions.ts'
import { chooseWorld, leaveAt, readWorld, worldOptions, writeWorld } from '../../../service/live/live-world.ts'
import { planWorld } from '../../../simulator/world/plan.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const NOW = toMicros('2026-03-01T12:34:56Z')
const FIRST = chooseWorld(null, NOW)
const dated = (world: typeof FIRST) => ({
  ...world,
  base_date: '2026-03-01T12:00:00Z',
  effective_from: '2026-03-01T12:00:00Z',
})

describe('the live world', () => {
  test('has been trading for an hour, from a whole minute on', () => {
    expect(FIRST).toMatchObject({ generation: 1, start: '2026-03-01T11:34:00Z', base_date: null, effective_from: null })
  })

  test('goes on until shortly before its end, then another one follows that keeps the indexes', () => {
    const known = dated(FIRST)
    expect(chooseWorld(known, leaveAt(known) - 1)).toBe(known)
    const next = chooseWorld(known, leaveAt(known))
    expect(next).toMatchObject({ generation: 2, base_date: known.base_date, effective_from: null })
    expect(toMicros(next.start)).toBeLessThan(leaveAt(known))
    expect(next.seed).not.toBe(known.seed)
  })

  test('two worlds of a home share no code of an event', () => {
    const codes = [FIRST, chooseWorld(dated(FIRST), leaveAt(FIRST))].map((world) =>
      planWorld(worldOptions(world)).events.map(({ code }) => code),
    )
    expect(codes[0]!.filter((code) => codes[1]!.includes(code))).toEqual([])
  })

  test('is kept as it was; a damaged file is told by name', async () => {
    const home = tempFolder()
    expect(await readWorld(home)).toBeNull()
    await writeWorld(home, FIRST)
    expect(await readWorld(home)).toEqual(FIRST)
    mkdirSync(join(home, 'live'), { recursive: true })
    for (const text of ['{', '{}', '{"format":1,"generation":1,"start":"yesterday"}']) {
      writeFileSync(join(home, 'live', 'world.json'), text)
      await expect(readWorld(home)).rejects.toMatchObject({ code: 'VALIDATION_INPUT_UNREADABLE' })
    }
  })
})

test.each([1, 2, 3, 4, 5])(
  'world %i has definitions of three indexes, whose weights sum to one',
  async (generation) => {
    const known =
      generation === 1 ? null : { ...dated(FIRST), generation: generation - 1, start: '2026-01-01T00:00:00Z' }
    const world = dated(chooseWorld(known, NOW))
    const files = await writeLiveDefinitions(tempFolder(), world)
    const definitions = files.map((file) => parseDefinition(readFileSync(file, 'utf8'), file))
    expect(definitions.map(({ index }) => index.index_id)).toEqual([...LIVE_INDEX_IDS])
    for (const { methodology } of definitions) {
      expect([methodology.version, methodology.parameters.settle_from, methodology.parameters.pool.finality]).toEqual([
        '1.1.0',
        'final_at',
        'majority',
      ])
    }
    for (const { versions } of definitions) {
      expect(versions.map(({ version }) => [version.version, formatMicros(version.effective_from)])).toEqual([
        [String(generation), world.effective_from],
      ])
    }
  },
)
