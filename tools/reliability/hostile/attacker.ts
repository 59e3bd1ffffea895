import { text } from 'node:stream/consumers'
import { ATTACKS } from './attacks.ts'
import { HostileTarget, type Plan } from './target.ts'

/** A process of its own, so that what attacks cost here does not slow down who measures: a plan on standard input, answers as one JSON line. */
const target = new HostileTarget(JSON.parse(await text(process.stdin)) as Plan)
await ATTACKS[target.plan.attack]!(target)
process.stdout.write(`${JSON.stringify(target.answers)}\n`, () => process.exit(0))
