// Prints how many signatures libsecp256k1 recovers in a second of processor time on one core: the best of five rounds of a second.
// `.ci/run` states with it how long a run would take on the cores that its limit is for. The work is native code, so no change of this repository alters it.
// usage: node bench/machine-speed.mjs
import { createHash } from 'node:crypto'
import secp256k1 from 'secp256k1'

const ROUNDS = 5
const ROUND_MS = 1000
const PORTION = 200

const key = createHash('sha256').update('machine speed').digest()
const message = createHash('sha256').update('message').digest()
const { signature, recid } = secp256k1.ecdsaSign(message, key)
const rounds = Array.from({ length: ROUNDS }, recoveriesPerSecond)
console.log(Math.round(Math.max(...rounds)))

function recoveriesPerSecond() {
  const [end, before] = [Date.now() + ROUND_MS, process.cpuUsage()]
  let count = 0
  for (; Date.now() < end; count += PORTION)
    for (let n = 0; n < PORTION; n += 1) secp256k1.ecdsaRecover(signature, recid, message)
  const { user, system } = process.cpuUsage(before)
  return (count * 1e6) / (user + system)
}
