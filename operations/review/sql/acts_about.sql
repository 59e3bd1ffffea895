-- All acts of review of one table of records.
--
-- params   $subject  VARCHAR   market_rating or severity_assessment
-- returns  the earliest first
select *
from assessment_act
where subject = $subject
order by published_at, row_ordinal;
