"""Code made from the OpenAPI document by `npm run docs`; not edited by hand."""
