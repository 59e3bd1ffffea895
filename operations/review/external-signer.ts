import { spawnSync } from 'node:child_process'
import { ServiceError } from '../../primitives/errors.ts'
import { isSignedBy, type Signer } from './signing.ts'

/** Longest time that a signing program may take, in milliseconds: a person may have to touch a device. */
const ANSWER_MS = 120_000

/**
 * Returns the signer of a program that holds the key, such as one for a hardware token. `PROGRAM public-key` prints the key as 64 hex
 * digits. `PROGRAM sign` reads the text from standard input and prints its Ed25519 signature as 128 hex digits.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE
 */
export function externalSigner(program: string): Signer {
  const public_key = ask(program, 'public-key', '')
  if (!/^[0-9a-f]{64}$/.test(public_key)) throw unusable(program, 'public-key', '64 hex digits')
  return {
    public_key,
    sign: (text) => {
      const signature = ask(program, 'sign', text)
      if (isSignedBy(text, signature, public_key)) return signature
      throw unusable(program, 'sign', 'the signature of its input by its key, as 128 hex digits')
    },
  }
}

function ask(program: string, word: string, input: string): string {
  const { stdout, status, error } = spawnSync(program, [word], { input, encoding: 'utf8', timeout: ANSWER_MS })
  if (error !== undefined || status !== 0) throw unusable(program, word, 'exit code 0')
  return stdout.trim()
}

function unusable(program: string, word: string, allowed: string): ServiceError {
  const message = `signer ${program} ${word} gave no valid answer; allowed: ${allowed}`
  return new ServiceError('VALIDATION_INPUT_UNREADABLE', message, { field: 'signer', file: program })
}
