import { expect, test } from 'vitest'
import { sizedArchive } from '../../../support/run/run-archive.ts'
import { sized } from '../../../support/sized.ts'
import { ARCHIVE_END, archiveLegs } from './support/archive-legs.ts'
import { archiveSpec, numbers } from './support/archive-specs.ts'
import { exactTexts, referenceTexts } from './support/step-texts.ts'

const DEFINITIONS = sized(2, 6)
const CONSTITUENTS = 40

test(`every tick of ${DEFINITIONS} indexes over the recorded archive equals the reference`, async () => {
  const legs = await archiveLegs(await sizedArchive())
  const names = [...legs.keys()].sort()
  let ticks = 0
  for (let seed = 1; seed <= DEFINITIONS; seed++) {
    const random = numbers(seed)
    const chosen = new Set(Array.from({ length: CONSTITUENTS }, () => names[random(names.length)]!))
    const spec = archiveSpec(seed, [...chosen])
    const reference = referenceTexts(spec, legs, { to: ARCHIVE_END })
    expect(exactTexts(spec, legs, { to: ARCHIVE_END })).toEqual(reference)
    ticks += reference.length
  }
  expect(ticks).toBeGreaterThan(250 * DEFINITIONS)
}, 180_000)
