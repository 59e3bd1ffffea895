/** SHA-256 of docs/methodology/severity-1.md, the normative text; test/pipelines/severity/methodology.test.ts compares. */
export const SEVERITY_TEXT_SHA256 = '0294d9de7af40365064f2f396e4d3b4f8660116d07b80a37b87813b5b19fc08a'
