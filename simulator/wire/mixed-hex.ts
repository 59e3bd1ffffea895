/** Makes cheap hex digits that look like a hash, by 32-bit arithmetic. Not for secrets. */
export function mixedHex(number: number, salt: number, words: number): string {
  let text = ''
  for (let word = 1; word <= words; word += 1)
    text += mix(number, salt + word)
      .toString(16)
      .padStart(8, '0')
  return text
}

function mix(number: number, salt: number): number {
  let mixed = Math.imul(number ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 16) ^ salt, 0x27d4eb2f)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
