-- The program's record of one subject in effect at an instant: it replaces an override that ends there.
--
-- template  {{rows}}      market_rating_history or severity_assessment_history
--           {{series}}    condition that a row is of the subject, by $series
--           {{in_force}}  query of the assessment in force among the relation of_model, at $at
-- params    $series       VARCHAR      values of the series' columns, joined by a space
--           $at           TIMESTAMPTZ
-- returns   at most one row
with heads as (
  select *
  from {{rows}}
  where {{series}} = $series
  qualify row_number() over (partition by chain_id order by revision desc) = 1
),
of_model as (
  select *
  from heads
  where issuer.kind = 'model' and "override" is null
)
{{in_force}};
