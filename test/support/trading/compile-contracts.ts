import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import type { Abi, Hex } from 'viem'

type Compiled = { readonly abi: Abi; readonly bytecode: Hex }
type Solc = { compile(input: string): string }
type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>>
}

/** Compiles a file of Solidity, without a hash of its source in the code. @returns finds a contract by name */
export function compileContracts(file: string): (name: string) => Compiled {
  const solc = createRequire(import.meta.url)('solc') as Solc
  const source = basename(file)
  const input = {
    language: 'Solidity',
    sources: { [source]: { content: readFileSync(file, 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 1 },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  const failed = output.errors?.find(({ severity }) => severity === 'error')
  if (failed !== undefined) throw new Error(failed.formattedMessage)
  return (name) => {
    const { abi, evm } = output.contracts[source]![name]!
    return { abi, bytecode: `0x${evm.bytecode.object}` }
  }
}
