-- hits: any, by rank
select "id", (CASE WHEN ("cit"::text COLLATE pg_catalog."default") ILIKE $1 ESCAPE '|' THEN 1 ELSE 0 END + CASE WHEN ("fold" COLLATE pg_catalog."default") ILIKE $1 ESCAPE '|' THEN 1 ELSE 0 END), count(*) over () from (select "id", "cit", "fold" from "Legacy ""S"""."tricky ?" where (lower(concat_ws(chr(1), "cit"::text, "fold") COLLATE pg_catalog."default") LIKE lower($2::text COLLATE pg_catalog."default") ESCAPE '|') limit 1001) as "h" order by 2 desc, "id" asc limit 100;
-- "%word%", "%word%"

-- hits: first, by rank
select "id", (CASE WHEN ("cit"::text COLLATE pg_catalog."default") ILIKE $1 ESCAPE '|' THEN 1 ELSE 0 END + CASE WHEN ("fold" COLLATE pg_catalog."default") ILIKE $1 ESCAPE '|' THEN 1 ELSE 0 END) from (select "id", "cit", "fold" from "Legacy ""S"""."tricky ?" where CASE WHEN ((lower(concat_ws(chr(1), "cit"::text, "fold") COLLATE pg_catalog."default") LIKE lower($2::text COLLATE pg_catalog."default") ESCAPE '|')) THEN TRUE END order by "id" asc limit 1000) as "h" order by 2 desc, "id" asc limit 100;
-- "%word%", "%word%"

-- hits: first, in order
select "id", (CASE WHEN ("cit"::text COLLATE pg_catalog."default") ILIKE $1 ESCAPE '|' THEN 1 ELSE 0 END + CASE WHEN ("fold" COLLATE pg_catalog."default") ILIKE $1 ESCAPE '|' THEN 1 ELSE 0 END) from (select "id", "cit", "fold" from (select "id", "cit", "fold" from "Legacy ""S"""."tricky ?" order by "id" asc limit 10000) as "h" where (lower(concat_ws(chr(1), "cit"::text, "fold") COLLATE pg_catalog."default") LIKE lower($2::text COLLATE pg_catalog."default") ESCAPE '|') order by "id" asc) as "h" order by "id" asc limit 10 offset 20;
-- "%word%", "%word%"

-- hits: any by an index, in order
select "id", ts_rank((to_tsvector('english'::regconfig, "fold")), (plainto_tsquery($1::regconfig, $2))), count(*) over () from (select "id", "fold" from "Legacy ""S"""."tricky ?" where (to_tsvector('english'::regconfig, "fold")) @@ (plainto_tsquery($3::regconfig, $4)) limit 1001) as "h" order by "id" asc limit 10 offset 20;
-- "\"english\"", "word", "\"english\"", "word"

-- hits: first by an index, in order
select "id", ts_rank((to_tsvector('english'::regconfig, "fold")), (plainto_tsquery($1::regconfig, $2))) from (select "id", "fold" from (select "id", "fold" from "Legacy ""S"""."tricky ?" order by "id" asc limit 10000) as "h" where (to_tsvector('english'::regconfig, "fold")) @@ (plainto_tsquery($3::regconfig, $4)) order by "id" asc) as "h" order by "id" asc limit 10 offset 20;
-- "\"english\"", "word", "\"english\"", "word"

-- hits: all by an index, in order
select "id", ts_rank((to_tsvector('english'::regconfig, "fold")), (plainto_tsquery($1::regconfig, $2))) from (select "id", "fold" from ((select "id", "fold" from "Legacy ""S"""."tricky ?" where (to_tsvector('english'::regconfig, "fold")) @@ (plainto_tsquery($3::regconfig, $4))) offset 0) as h) as "h" order by "id" asc limit 10 offset 20;
-- "\"english\"", "word", "\"english\"", "word"

-- hits: first by an index, by rank
select "id", ts_rank((to_tsvector('english'::regconfig, "fold")), (plainto_tsquery($1::regconfig, $2))), count(*) over () from (select "id", "fold" from (select "id", "fold" from "Legacy ""S"""."tricky ?" order by "id" asc limit 10000) as "h" where (to_tsvector('english'::regconfig, "fold")) @@ (plainto_tsquery($3::regconfig, $4)) order by "id" asc limit 1000) as "h" order by 2 desc, "id" asc limit 100;
-- "\"english\"", "word", "\"english\"", "word"

-- hits: all by an index, by rank
select "id", ts_rank((to_tsvector('english'::regconfig, "fold")), (plainto_tsquery($1::regconfig, $2))) from (select "id", "fold" from ((select "id", "fold" from "Legacy ""S"""."tricky ?" where (to_tsvector('english'::regconfig, "fold")) @@ (plainto_tsquery($3::regconfig, $4))) offset 0) as h order by "id" asc limit 1000) as "h" order by 2 desc, "id" asc limit 100;
-- "\"english\"", "word", "\"english\"", "word"
