/** SHA-256 of docs/methodology/rating-1.md, the normative text; test/pipelines/rating/methodology.test.ts compares them. */
export const RATING_TEXT_SHA256 = 'b517703708a0783e7af81ce80adeda73ffb911f73abad4f79d63a42aac4e24e4'
