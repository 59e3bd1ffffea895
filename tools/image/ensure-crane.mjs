import { ensureGoProgram } from '../go-program.mjs'

// Prints the path of crane, which serves, copies and validates images.
//   node tools/image/ensure-crane.mjs
console.log(ensureGoProgram('github.com/google/go-containerregistry/cmd/crane', 'v0.20.6'))
