import { ensureGoProgram } from '../go-program.mjs'

// Prints the path of versitygw, an S3 server over a folder. Tests and benches of the object store use it.
//   node tools/object-store/ensure.mjs
console.log(ensureGoProgram('github.com/versity/versitygw/cmd/versitygw', 'v1.8.0'))
