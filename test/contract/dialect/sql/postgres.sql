-- search: no filter
select "id", "a.b", "x?y", "say ""hi""", "back`tick", "50% as $1", "latin", "cit", "fold", "f4", "f8", "flag", "bit1", "bit5", "js", "blob", "day", "seen", "span" from "Legacy ""S"""."tricky ?" order by "id" asc limit 100;

-- search: equality
select "id", CASE WHEN FALSE THEN "a.b" END, CASE WHEN FALSE THEN "x?y" END, CASE WHEN FALSE THEN "say ""hi""" END, CASE WHEN FALSE THEN "back`tick" END, CASE WHEN FALSE THEN "50% as $1" END, CASE WHEN FALSE THEN "latin" END, CASE WHEN FALSE THEN "cit" END, CASE WHEN FALSE THEN "fold" END, CASE WHEN FALSE THEN "f4" END, CASE WHEN FALSE THEN "f8" END, CASE WHEN FALSE THEN "flag" END, CASE WHEN FALSE THEN "bit1" END, CASE WHEN FALSE THEN "bit5" END, CASE WHEN FALSE THEN "blob" END, CASE WHEN FALSE THEN "day" END, CASE WHEN FALSE THEN "seen" END, CASE WHEN FALSE THEN "span" END from "Legacy ""S"""."tricky ?" where ("id" = $1 AND "a.b" = $2 AND "x?y" = $3 AND "say ""hi""" = $4 AND "back`tick" = $5 AND "50% as $1" = $6 AND "latin" = $7 AND ("cit" = $8 AND "cit"::text COLLATE "C" = $9) AND ("fold" = $10 AND "fold"::text COLLATE "C" = $11) AND "f4" = $12 AND "f8" = $13 AND "flag" = $14 AND "bit1" = $15 AND "bit5" = $16 AND "blob" = $17 AND "day" = $18 AND "seen" = $19 AND "span" = $20) order by "id" asc limit 100;
-- "1", "O'Brien \\ ?", "-7", "Müller", "ab", "12.50", "Ärger", "Word", "Word", "Word", "Word", "0.1", "0.1", "true", "1", "10101", "\\x00ff", "2024-02-29", "2024-02-29 23:59:59.999", "23:59:59"

-- search: IN
select "id", CASE WHEN FALSE THEN "a.b" END, CASE WHEN FALSE THEN "x?y" END, CASE WHEN FALSE THEN "say ""hi""" END, CASE WHEN FALSE THEN "back`tick" END, CASE WHEN FALSE THEN "50% as $1" END, CASE WHEN FALSE THEN "latin" END, CASE WHEN FALSE THEN "cit" END, CASE WHEN FALSE THEN "fold" END, CASE WHEN FALSE THEN "f4" END, CASE WHEN FALSE THEN "f8" END, CASE WHEN FALSE THEN "flag" END, CASE WHEN FALSE THEN "bit1" END, CASE WHEN FALSE THEN "bit5" END, CASE WHEN FALSE THEN "blob" END, CASE WHEN FALSE THEN "day" END, CASE WHEN FALSE THEN "seen" END, CASE WHEN FALSE THEN "span" END from "Legacy ""S"""."tricky ?" where ("id" = ANY($1) AND "a.b" = ANY($2) AND "x?y" = ANY($3) AND "say ""hi""" = ANY($4) AND "back`tick" = ANY($5) AND "50% as $1" = ANY($6) AND "latin" = ANY($7) AND ("cit" = ANY($8) AND "cit"::text COLLATE "C" = ANY($9)) AND ("fold" = ANY($10) AND "fold"::text COLLATE "C" = ANY($11)) AND "f4" = ANY($12) AND "f8" = ANY($13) AND "flag" = ANY($14) AND "bit1" = ANY($15) AND "bit5" = ANY($16) AND "blob" = ANY($17) AND "day" = ANY($18) AND "seen" = ANY($19) AND "span" = ANY($20)) order by "id" asc limit 100;
-- "{\"1\",\"2\"}", "{\"O'Brien \\\\ ?\",\"a\\\"{,}\"}", "{\"-7\",\"2147483647\"}", "{\"Müller\",\"\"}", "{\"ab\",\"cd\"}", "{\"12.50\",\"-0.01\"}", "{\"Ärger\",\"漢字\"}", "{\"Word\",\"word \"}", "{\"Word\",\"word \"}", "{\"Word\",\"ẞ\"}", "{\"Word\",\"ẞ\"}", "{\"0.1\",\"3.4028235e+38\"}", "{\"0.1\",\"5e-324\"}", "{\"true\",\"false\"}", "{\"1\",\"0\"}", "{\"10101\",\"00000\"}", "{\"\\\\x00ff\",\"\\\\x\"}", "{\"2024-02-29\",\"1999-12-31\"}", "{\"2024-02-29 23:59:59.999\",\"1999-12-31 00:00:00\"}", "{\"23:59:59\",\"00:00:00\"}"

-- search: IN, empty
select "id" from "Legacy ""S"""."tricky ?" where FALSE order by "id" asc limit 100;

-- search: null
select "id", CASE WHEN FALSE THEN "a.b" END, CASE WHEN FALSE THEN "day" END, CASE WHEN FALSE THEN "seen" END from "Legacy ""S"""."tricky ?" where ("a.b" IS NULL AND "day" IS NULL AND "seen" IS NULL) order by "id" asc limit 100;

-- search: ranges
select "id", CASE WHEN FALSE THEN "a.b" END, CASE WHEN FALSE THEN "x?y" END, CASE WHEN FALSE THEN "say ""hi""" END, CASE WHEN FALSE THEN "back`tick" END, CASE WHEN FALSE THEN "50% as $1" END, CASE WHEN FALSE THEN "latin" END, CASE WHEN FALSE THEN "cit" END, CASE WHEN FALSE THEN "fold" END, CASE WHEN FALSE THEN "f4" END, CASE WHEN FALSE THEN "f8" END, CASE WHEN FALSE THEN "bit1" END, CASE WHEN FALSE THEN "bit5" END, CASE WHEN FALSE THEN "day" END, CASE WHEN FALSE THEN "seen" END, CASE WHEN FALSE THEN "span" END from "Legacy ""S"""."tricky ?" where ("id" >= $1 AND "id" < $2 AND "a.b" >= $3 AND "a.b" < $4 AND "x?y" >= $5 AND "x?y" < $6 AND "say ""hi""" >= $7 AND "say ""hi""" < $8 AND "back`tick" >= $9 AND "back`tick" < $10 AND "50% as $1" >= $11 AND "50% as $1" < $12 AND "latin" >= $13 AND "latin" < $14 AND "cit" >= $15 AND "cit" < $16 AND "fold" >= $17 AND "fold" < $18 AND "f4" >= $19 AND "f4" < $20 AND "f8" >= $21 AND "f8" < $22 AND "bit1" >= $23 AND "bit1" < $24 AND "bit5" >= $25 AND "bit5" < $26 AND "day" >= $27 AND "day" < $28 AND "seen" >= $29 AND "seen" < $30 AND "span" >= $31 AND "span" < $32) order by "id" asc limit 100;
-- "1", "2", "O'Brien \\ ?", "a\"{,}", "-7", "2147483647", "Müller", "", "ab", "cd", "12.50", "-0.01", "Ärger", "漢字", "Word", "word ", "Word", "ẞ", "0.1", "3.4028235e+38", "0.1", "5e-324", "1", "0", "10101", "00000", "2024-02-29", "1999-12-31", "2024-02-29 23:59:59.999", "1999-12-31 00:00:00", "23:59:59", "00:00:00"

-- search: not
select "id", CASE WHEN FALSE THEN "x?y" END, CASE WHEN FALSE THEN "cit" END, CASE WHEN FALSE THEN "day" END from "Legacy ""S"""."tricky ?" where (("x?y" = ANY($1) IS NOT TRUE) AND (("cit" = ANY($2) AND "cit"::text COLLATE "C" = ANY($3)) IS NOT TRUE) AND ("day" IS NULL IS NOT TRUE)) order by "id" asc limit 100;
-- "{\"-7\",\"2147483647\"}", "{\"Word\",\"word \"}", "{\"Word\",\"word \"}"

-- search: like
select "id", CASE WHEN FALSE THEN "a.b" END, CASE WHEN FALSE THEN "x?y" END, CASE WHEN FALSE THEN "say ""hi""" END, CASE WHEN FALSE THEN "back`tick" END, CASE WHEN FALSE THEN "50% as $1" END, CASE WHEN FALSE THEN "latin" END, CASE WHEN FALSE THEN "cit" END, CASE WHEN FALSE THEN "fold" END, CASE WHEN FALSE THEN "f4" END, CASE WHEN FALSE THEN "f8" END, CASE WHEN FALSE THEN "flag" END, CASE WHEN FALSE THEN "bit1" END, CASE WHEN FALSE THEN "bit5" END, CASE WHEN FALSE THEN "js" END, CASE WHEN FALSE THEN "day" END, CASE WHEN FALSE THEN "seen" END, CASE WHEN FALSE THEN "span" END from "Legacy ""S"""."tricky ?" where ("id"::text LIKE $1 ESCAPE '|' AND "a.b" LIKE $2 ESCAPE '|' AND "x?y"::text LIKE $3 ESCAPE '|' AND "say ""hi"""::text LIKE $4 ESCAPE '|' AND "back`tick"::text LIKE $5 ESCAPE '|' AND "50% as $1"::text LIKE $6 ESCAPE '|' AND "latin"::text LIKE $7 ESCAPE '|' AND "cit"::text COLLATE "C" LIKE $8 ESCAPE '|' AND "fold" COLLATE "C" LIKE $9 ESCAPE '|' AND "f4"::text LIKE $10 ESCAPE '|' AND "f8"::text LIKE $11 ESCAPE '|' AND "flag"::text LIKE $12 ESCAPE '|' AND "bit1"::text LIKE $13 ESCAPE '|' AND "bit5"::text LIKE $14 ESCAPE '|' AND "js"::text LIKE $15 ESCAPE '|' AND "day"::text LIKE $16 ESCAPE '|' AND CASE WHEN "seen" < '0001-01-01' OR "seen" >= '10000-01-01' THEN CASE WHEN NOT isfinite("seen") THEN "seen"::text WHEN "seen"::timestamp(0) = "seen" THEN regexp_replace("seen"::text, '^(\S+) (\S+)', '\1T\2.000') ELSE regexp_replace(regexp_replace("seen"::text, '^(\S+) (\S+)', '\1T\200'), '(\.\d{3}\d*?)0+( BC)?$', '\1\2') END WHEN "seen"::timestamp(0) = "seen" THEN replace("seen"::text || '.000', ' ', 'T') WHEN "seen"::timestamp(3) = "seen" THEN rpad(replace("seen"::text, ' ', 'T'), 23, '0') ELSE replace("seen"::text, ' ', 'T') END LIKE $17 ESCAPE '|' AND "span"::text LIKE $18 ESCAPE '|' AND (("cit"::text COLLATE pg_catalog."default") ILIKE $19 ESCAPE '|' OR "f8"::text ILIKE $20 ESCAPE '|')) order by "id" asc limit 100;
-- "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%", "O'Br|_%"

-- search: null in an array
select "id", CASE WHEN FALSE THEN "cit" END, CASE WHEN FALSE THEN "day" END from "Legacy ""S"""."tricky ?" where ((("cit" = ANY($1) AND "cit"::text COLLATE "C" = ANY($2)) OR "cit" IS NULL) AND ("day" = ANY($3) OR "day" IS NULL)) order by "id" asc limit 100;
-- "{\"Word\",\"word \"}", "{\"Word\",\"word \"}", "{\"2024-02-29\",\"1999-12-31\"}"

-- search: q like
select "id" from "Legacy ""S"""."tricky ?" where (lower(concat_ws(chr(1), "a.b", "say ""hi"""::text, "back`tick"::text, "latin"::text, "cit"::text, "fold", "js"::text) COLLATE pg_catalog."default") LIKE lower($1::text COLLATE pg_catalog."default") ESCAPE '|') order by "id" asc limit 100;
-- "%50|%|_||%"

-- search: q like, several words
select "id" from "Legacy ""S"""."tricky ?" where ((lower(concat_ws(chr(1), "cit"::text, "fold") COLLATE pg_catalog."default") LIKE lower($1::text COLLATE pg_catalog."default") ESCAPE '|') AND (lower(concat_ws(chr(1), "cit"::text, "fold") COLLATE pg_catalog."default") LIKE lower($2::text COLLATE pg_catalog."default") ESCAPE '|') AND (lower(concat_ws(chr(1), "cit"::text, "fold") COLLATE pg_catalog."default") LIKE lower($3::text COLLATE pg_catalog."default") ESCAPE '|')) order by "id" asc limit 100;
-- "%O'Brien%", "%50|%|_||%", "%two words%"

-- search: q native
select "id" from "Legacy ""S"""."tricky ?" where to_tsvector($1::regconfig, concat_ws(' ', "a.b", "say ""hi"""::text)) @@ (plainto_tsquery($1::regconfig, $2) && plainto_tsquery($1::regconfig, $3) && phraseto_tsquery($1::regconfig, $4)) order by "id" asc limit 100;
-- "\"english\"", "O'Brien", "50%_|", "two words"

-- search: q of one field, with its rank
select "id", (CASE WHEN ("cit"::text COLLATE pg_catalog."default") ILIKE $1 ESCAPE '|' THEN 1 ELSE 0 END + CASE WHEN ("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|' THEN 1 ELSE 0 END) from "Legacy ""S"""."tricky ?" where ((("cit"::text COLLATE pg_catalog."default") ILIKE $3 ESCAPE '|') AND (("cit"::text COLLATE pg_catalog."default") ILIKE $4 ESCAPE '|')) order by "id" asc limit 100;
-- "%x%", "%y%", "%x%", "%y%"

-- search: tsquery like, by rank
select "id" from "Legacy ""S"""."tricky ?" where (((("cit"::text COLLATE pg_catalog."default") ILIKE $1 ESCAPE '|') OR ((("cit"::text COLLATE pg_catalog."default") ILIKE $2 ESCAPE '|') AND ((("cit"::text COLLATE pg_catalog."default") ILIKE $3 ESCAPE '|') IS NOT TRUE))) AND (lower(concat_ws(chr(1), "cit"::text, "day"::text) COLLATE pg_catalog."default") LIKE lower($4::text COLLATE pg_catalog."default") ESCAPE '|')) order by ((CASE WHEN ("cit"::text COLLATE pg_catalog."default") ILIKE $5 ESCAPE '|' THEN 1 ELSE 0 END + CASE WHEN ("cit"::text COLLATE pg_catalog."default") ILIKE $6 ESCAPE '|' THEN 1 ELSE 0 END) + (CASE WHEN ("cit"::text COLLATE pg_catalog."default") ILIKE $7 ESCAPE '|' THEN 1 ELSE 0 END + CASE WHEN "day"::text ILIKE $7 ESCAPE '|' THEN 1 ELSE 0 END)) desc limit 100;
-- "%O'Brien%", "%two%", "%not \\'%", "%a b%", "%O'Brien%", "%two%", "%a b%"

-- search: tsquery native, by a rank that is shown
select "id", ts_rank(to_tsvector($1::regconfig, concat_ws(' ', "a.b", "say ""hi"""::text)), ((plainto_tsquery($1::regconfig, $2) || (to_tsquery($1::regconfig, $3) && (!! phraseto_tsquery($1::regconfig, $4)))) && phraseto_tsquery($1::regconfig, $5))) from "Legacy ""S"""."tricky ?" where to_tsvector($6::regconfig, concat_ws(' ', "a.b", "say ""hi"""::text)) @@ ((plainto_tsquery($6::regconfig, $7) || (to_tsquery($6::regconfig, $8) && (!! phraseto_tsquery($6::regconfig, $9)))) && phraseto_tsquery($6::regconfig, $10)) order by 2 desc, "id" asc limit 100;
-- "\"english\"", "O'Brien", "'two':*", "not \\'", "a b", "\"english\"", "O'Brien", "'two':*", "not \\'", "a b"

-- search: tsquery native, of words only
select "id" from "Legacy ""S"""."tricky ?" where to_tsvector($1::regconfig, concat_ws(' ', "a.b", "say ""hi"""::text)) @@ ((plainto_tsquery($1::regconfig, $2) || to_tsquery($1::regconfig, $3)) && (!! plainto_tsquery($1::regconfig, $4))) order by "id" asc limit 100;
-- "\"english\"", "a", "'b':*", "c"

-- search: q auto, with its rank
select CASE WHEN numnode(plainto_tsquery($1::regconfig, $2)) > 0 THEN ts_rank(to_tsvector($1::regconfig, concat_ws(' ', "a.b", "say ""hi"""::text)), (plainto_tsquery($1::regconfig, $2))) ELSE (CASE WHEN "a.b" ILIKE $3 ESCAPE '|' THEN 1 ELSE 0 END + CASE WHEN "say ""hi"""::text ILIKE $3 ESCAPE '|' THEN 1 ELSE 0 END) END from "Legacy ""S"""."tricky ?" where CASE WHEN numnode(plainto_tsquery($4::regconfig, $5)) > 0 THEN to_tsvector($4::regconfig, concat_ws(' ', "a.b", "say ""hi"""::text)) @@ (plainto_tsquery($4::regconfig, $5)) ELSE (lower(concat_ws(chr(1), "a.b", "say ""hi"""::text) COLLATE pg_catalog."default") LIKE lower($6::text COLLATE pg_catalog."default") ESCAPE '|') END order by "id" asc limit 100;
-- "\"english\"", "word", "%word%", "\"english\"", "word", "%word%"

-- search: sort with nulls, offset
select "id" from "Legacy ""S"""."tricky ?" order by "a.b" asc, "x?y" desc, "day" asc NULLS first, "seen" desc NULLS last, "id" desc limit 10 offset 20;

-- search: after a place
select "id", "id" from "Legacy ""S"""."tricky ?" where "id" > $1 order by "id" asc limit 100;
-- "1"

-- search: after a place, its first column never null
select "id", CASE WHEN FALSE THEN "day" END from "Legacy ""S"""."tricky ?" where "id" <= $1 and ("id" < $2 OR ("id" = $3 AND ("day" > $4 OR "day" IS NULL))) order by "id" desc, "day" asc limit 100;
-- "1", "1", "1", "2024-02-29"

-- search: after a place in every type
select "id", "a.b", "x?y", "say ""hi""", "back`tick", "50% as $1", "latin", "cit", "fold", "f4", "f8", "flag", "bit1", "bit5", "blob", "day", "seen", "span", CASE WHEN FALSE THEN "a.b" END, CASE WHEN FALSE THEN "x?y" END, CASE WHEN FALSE THEN "say ""hi""" END, CASE WHEN FALSE THEN "back`tick" END, CASE WHEN FALSE THEN "50% as $1" END, CASE WHEN FALSE THEN "latin" END, CASE WHEN FALSE THEN "cit" END, CASE WHEN FALSE THEN "fold" END, CASE WHEN FALSE THEN "f4" END, CASE WHEN FALSE THEN "f8" END, CASE WHEN FALSE THEN "flag" END, CASE WHEN FALSE THEN "bit1" END, CASE WHEN FALSE THEN "bit5" END, CASE WHEN FALSE THEN "blob" END, CASE WHEN FALSE THEN "day" END, CASE WHEN FALSE THEN "seen" END, CASE WHEN FALSE THEN "span" END from "Legacy ""S"""."tricky ?" where ("a.b" > $1 OR "a.b" IS NULL OR ("a.b" = $2 AND ("x?y" > $3 OR "x?y" IS NULL OR ("x?y" = $4 AND ("say ""hi""" > $5 OR "say ""hi""" IS NULL OR ("say ""hi""" = $6 AND ("back`tick" > $7 OR "back`tick" IS NULL OR ("back`tick" = $8 AND ("50% as $1" > $9 OR "50% as $1" IS NULL OR ("50% as $1" = $10 AND ("latin" > $11 OR "latin" IS NULL OR ("latin" = $12 AND ("cit" > $13 OR "cit" IS NULL OR ("cit" = $14 AND ("fold" > $15 OR "fold" IS NULL OR ("fold" = $16 AND ("f4" > $17 OR "f4" IS NULL OR ("f4" = $18 AND ("f8" > $19 OR "f8" IS NULL OR ("f8" = $20 AND ("flag" > $21 OR "flag" IS NULL OR ("flag" = $22 AND ("bit1" > $23 OR "bit1" IS NULL OR ("bit1" = $24 AND ("bit5" > $25 OR "bit5" IS NULL OR ("bit5" = $26 AND ("blob" > $27 OR "blob" IS NULL OR ("blob" = $28 AND ("day" > $29 OR "day" IS NULL OR ("day" = $30 AND ("seen" > $31 OR "seen" IS NULL OR ("seen" = $32 AND ("span" > $33 OR "span" IS NULL))))))))))))))))))))))))))))))))) order by "a.b" asc, "x?y" asc, "say ""hi""" asc, "back`tick" asc, "50% as $1" asc, "latin" asc, "cit" asc, "fold" asc, "f4" asc, "f8" asc, "flag" asc, "bit1" asc, "bit5" asc, "blob" asc, "day" asc, "seen" asc, "span" asc limit 100;
-- "O'Brien \\ ?", "O'Brien \\ ?", "-7", "-7", "Müller", "Müller", "ab", "ab", "12.50", "12.50", "Ärger", "Ärger", "Word", "Word", "Word", "Word", "0.1", "0.1", "0.1", "0.1", "true", "true", "1", "1", "10101", "10101", x'00ff', x'00ff', "2024-02-29", "2024-02-29", "2024-02-29 23:59:59.999", "2024-02-29 23:59:59.999", "23:59:59"

-- search: after a NULL, and NULLs first
select "id", CASE WHEN FALSE THEN "cit" END, CASE WHEN FALSE THEN "x?y" END, CASE WHEN FALSE THEN "seen" END, CASE WHEN FALSE THEN "f8" END from "Legacy ""S"""."tricky ?" where ("cit" = $1 AND "cit"::text COLLATE "C" = $2) and ("x?y" IS NOT NULL OR ("x?y" IS NULL AND ("seen" IS NULL AND ("f8" < $3 OR ("f8" = $4 AND "id" > $5))))) order by "x?y" desc, "seen" asc, "f8" desc, "id" asc limit 100;
-- "Word", "Word", "0.1", "0.1", "1"

-- search: distinct
select "a.b", "x?y", "say ""hi""", "back`tick", "50% as $1", "latin", "cit", "fold", "f4", "f8", "flag", "bit1", "bit5", "js", "blob", "day", "seen", "span", (select CASE WHEN FALSE THEN "id" END from "Legacy ""S"""."tricky ?" limit 0) from (select DISTINCT ON ("a.b", "x?y", "say ""hi""", "back`tick", "50% as $1", "latin", ("cit"::text) COLLATE "C", ("fold")::text COLLATE "C", ("f4"::text) COLLATE "C", ("f8"::text) COLLATE "C", "flag", "bit1", "bit5", NULLIF(("js"::text) COLLATE "C", 'null'), "blob", "day", "seen", "span") "a.b", "x?y", "say ""hi""", "back`tick", "50% as $1", "latin", "cit", "fold", "f4", "f8", "flag", "bit1", "bit5", "js", "blob", "day", "seen", "span" from "Legacy ""S"""."tricky ?" where "id" = $1) as "d" order by "a.b" asc, "x?y" asc, "say ""hi""" asc, "back`tick" asc, "50% as $1" asc, "latin" asc, "cit" asc, "fold" asc, "f4" asc, "f8" asc, "flag" asc, "bit1" asc, "bit5" asc, NULLIF(("js"::text) COLLATE "C", 'null') asc, "blob" asc, "day" asc, "seen" asc, "span" asc, ("cit"::text) COLLATE "C" asc, ("fold")::text COLLATE "C" asc, ("f4"::text) COLLATE "C" asc, ("f8"::text) COLLATE "C" asc limit 100;
-- "1"

-- search: distinct by the columns themselves
select "x?y", "span" from (select distinct "x?y", "span" from "Legacy ""S"""."tricky ?") as "d" order by "x?y" desc, "span" desc limit 100;

-- search: sort asc by an index
select "id", CASE WHEN FALSE THEN "cit" END from "Legacy ""S"""."tricky ?" where ("cit" = $1 AND "cit"::text COLLATE "C" = $2) order by "x?y" asc, "id" asc limit 100 offset 20;
-- "Word", "Word"

-- search: sort desc by an index
select "id", CASE WHEN FALSE THEN "cit" END from "Legacy ""S"""."tricky ?" where ("cit" = $1 AND "cit"::text COLLATE "C" = $2) order by "x?y" desc, "id" asc limit 100 offset 20;
-- "Word", "Word"

-- count: distinct
select count(*) from (select DISTINCT ON (("cit"::text) COLLATE "C", "day") "cit", "day" from "Legacy ""S"""."tricky ?") as "d";

-- count
select count(*) from "Legacy ""S"""."tricky ?" where ("cit" = $1 AND "cit"::text COLLATE "C" = $2) and (lower(concat_ws(chr(1), "a.b", "say ""hi"""::text) COLLATE pg_catalog."default") LIKE lower($3::text COLLATE pg_catalog."default") ESCAPE '|');
-- "Word", "Word", "%x%"

-- estimate
EXPLAIN (FORMAT JSON) select 1 from "Legacy ""S"""."tricky ?" where "x?y" = $1;
-- "-7"

-- sizes
SELECT c.relkind, coalesce((SELECT sum(pg_table_size(relid)) FROM pg_partition_tree(c.oid)), pg_table_size(c.oid)), coalesce((SELECT sum(pg_indexes_size(relid)) FROM pg_partition_tree(c.oid)), pg_indexes_size(c.oid)), pg_database_size(current_database())
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2;
-- "Legacy \"S\"", "tricky ?"

-- delete
delete from "Legacy ""S"""."tricky ?" where ("latin" = ANY($1) AND ("cit" = ANY($2) AND "cit"::text COLLATE "C" = ANY($3)) AND ("fold" = ANY($4) AND "fold"::text COLLATE "C" = ANY($5)));
-- "{\"Ärger\",\"漢字\"}", "{\"Word\",\"word \"}", "{\"Word\",\"word \"}", "{\"Word\",\"ẞ\"}", "{\"Word\",\"ẞ\"}"

-- delete: all
delete from "Legacy ""S"""."tricky ?";

-- delete: in order
delete from "Legacy ""S"""."tricky ?" where ("cit" = ANY($1) AND "cit"::text COLLATE "C" = ANY($2)) and (SELECT count(*) FROM (select 1 from "Legacy ""S"""."tricky ?" where ("cit" = ANY($3) AND "cit"::text COLLATE "C" = ANY($4)) order by "id" asc limit 10000 for update) locked) >= 0;
-- "{\"Word\",\"word \"}", "{\"Word\",\"word \"}", "{\"Word\",\"word \"}", "{\"Word\",\"word \"}"

-- delete: and show
with "gone" as (delete from "Legacy ""S"""."tricky ?" where ("cit" = ANY($1) AND "cit"::text COLLATE "C" = ANY($2)) returning "id", "a.b", "x?y", "say ""hi""", "back`tick", "50% as $1", "latin", "cit", "fold", "f4", "f8", "flag", "bit1", "bit5", "js", "blob", "day", "seen", "span") select "id", "a.b", "x?y", "say ""hi""", "back`tick", "50% as $1", "latin", "cit", "fold", "f4", "f8", "flag", "bit1", "bit5", "js", "blob", "day", "seen", "span" from "gone" order by "id" asc limit 3;
-- "{\"Word\",\"word \"}", "{\"Word\",\"word \"}"

-- records: locked
select "id", "a.b", "x?y", "say ""hi""", "back`tick", "50% as $1", "latin", "cit", "fold", "f4", "f8", "flag", "bit1", "bit5", "js", "blob", "day", "seen", "span", "id" from "Legacy ""S"""."tricky ?" where ("cit" = ANY($1) AND "cit"::text COLLATE "C" = ANY($2)) order by "a.b" asc, "x?y" asc limit 3 for update;
-- "{\"Word\",\"word \"}", "{\"Word\",\"word \"}"

-- lock
select "id" from "Legacy ""S"""."tricky ?" where "id" = ANY($1) order by "id" asc for update;
-- "{\"1\",\"2\"}"

-- lock: composite key
select "t"."a.b", "t"."x?y" from "Legacy ""S"""."tricky ?" as "t" cross join unnest($1::text[], $2::integer[]) v("v0", "v1") where "t"."a.b" = "v"."v0" and "t"."x?y" = "v"."v1" order by "t"."a.b" COLLATE "C" asc, "t"."x?y" asc for update of "t";
-- "{\"O'Brien \\\\ ?\",\"a\\\"{,}\"}", "{\"-7\",\"2147483647\"}"

-- lock: those inside a filter
select "a.b", "x?y" from "Legacy ""S"""."tricky ?" where (("a.b" = $1 AND "x?y" = $2) OR ("a.b" = $3 AND "x?y" = $4)) and ("x?y" = ANY($5) OR ("cit" = ANY($6) AND "cit"::text COLLATE "C" = ANY($7))) order by "a.b" COLLATE "C" asc, "x?y" asc for update;
-- "O'Brien \\ ?", "-7", "a\"{,}", "2147483647", "{\"-7\",\"2147483647\"}", "{\"Word\",\"word \"}", "{\"Word\",\"word \"}"

-- insert: one
insert into "Legacy ""S"""."tricky ?" ("a.b", "x?y", "say ""hi""", "back`tick", "50% as $1", "latin", "cit", "fold", "f4", "f8", "flag", "bit1", "bit5", "js", "blob", "day", "seen", "span") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18);
-- "O'Brien \\ ?", "-7", "Müller", "ab", "12.50", "Ärger", "Word", "Word", "0.1", "0.1", "true", "1", "10101", "{\"a\": [1, null]}", "\\x00ff", "2024-02-29", "2024-02-29 23:59:59.999", "23:59:59"

-- insert: many, with NULL
insert into "Legacy ""S"""."tricky ?" ("a.b", "x?y") SELECT "v"."v0", "v"."v1" FROM unnest($1::text[], $2::integer[]) v("v0", "v1") returning "a.b", "x?y";
-- "{\"O'Brien \\\\ ?\",\"z\"}", "{\"-7\",NULL}"

-- insert: nothing but defaults
insert into "Legacy ""S"""."tricky ?" default values returning "id";

-- update: one
update "Legacy ""S"""."tricky ?" as "t" set "a.b" = "v"."v1", "x?y" = "v"."v2", "say ""hi""" = "v"."v3", "back`tick" = "v"."v4", "50% as $1" = "v"."v5", "latin" = "v"."v6", "cit" = "v"."v7", "fold" = "v"."v8", "f4" = "v"."v9", "f8" = "v"."v10", "flag" = "v"."v11", "bit1" = "v"."v12", "bit5" = "v"."v13", "js" = "v"."v14", "blob" = "v"."v15", "day" = "v"."v16", "seen" = "v"."v17", "span" = "v"."v18" from (VALUES ($1::integer, $2::text, $3::integer, $4::character varying, $5::bpchar, $6::numeric, $7::character varying, $8::citext, $9::text, $10::real, $11::double precision, $12::boolean, $13::pg_catalog."bit", $14::pg_catalog."bit", $15::jsonb, $16::bytea, $17::date, $18::timestamp without time zone, $19::time without time zone)) v("v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18") where "t"."id" = "v"."v0";
-- "1", "a\"{,}", "2147483647", "", "cd", "-0.01", "漢字", "word ", "ẞ", "3.4028235e+38", "5e-324", "false", "0", "00000", "\"x\"", "\\x", "1999-12-31", "1999-12-31 00:00:00", "00:00:00"

-- update: one by its exact key
update "Legacy ""S"""."tricky ?" set "a.b" = $1, "x?y" = $2, "say ""hi""" = $3, "back`tick" = $4, "50% as $1" = $5, "latin" = $6, "cit" = $7, "fold" = $8, "f4" = $9, "f8" = $10, "flag" = $11, "bit1" = $12, "bit5" = $13, "js" = $14, "blob" = $15, "day" = $16, "seen" = $17, "span" = $18 where ("id" = $19 AND "id"::text COLLATE "C" = $20) returning txid_current();
-- "a\"{,}", "2147483647", "", "cd", "-0.01", "漢字", "word ", "ẞ", "3.4028235e+38", "5e-324", "false", "0", "00000", "\"x\"", "\\x", "1999-12-31", "1999-12-31 00:00:00", "00:00:00", "1", "1"

-- update: one inside a filter
update "Legacy ""S"""."tricky ?" set "flag" = $1 where ("id" = $2 AND "id"::text COLLATE "C" = $3) and ("x?y" = ANY($4) OR ("cit" = ANY($5) AND "cit"::text COLLATE "C" = ANY($6))) returning txid_current();
-- "true", "1", "1", "{\"-7\",\"2147483647\"}", "{\"Word\",\"word \"}", "{\"Word\",\"word \"}"

-- update: one by an exact composite key, with NULL
update "Legacy ""S"""."tricky ?" set "latin" = $1, "flag" = $2 where ("a.b" = $3 AND "a.b"::text COLLATE "C" = $4) and ("x?y" = $5 AND "x?y"::text COLLATE "C" = $6) returning txid_current();
-- null, null, "O'Brien \\ ?", "O'Brien \\ ?", "-7", "-7"

-- update: many, with NULL
update "Legacy ""S"""."tricky ?" as "t" set "a.b" = "v"."v1", "f4" = "v"."v2", "bit1" = "v"."v3" from unnest($1::integer[], $2::text[], $3::real[], $4::pg_catalog."bit"[]) v("v0", "v1", "v2", "v3") where "t"."id" = "v"."v0";
-- "{\"1\",\"2\"}", "{\"O'Brien \\\\ ?\",NULL}", "{\"0.1\",NULL}", "{\"1\",NULL}"

-- update: many that are locked, with NULL
insert into "Legacy ""S"""."tricky ?" ("id", "a.b", "f4", "bit1") SELECT "v"."v0", "v"."v1", "v"."v2", "v"."v3" FROM unnest($1::integer[], $2::text[], $3::real[], $4::pg_catalog."bit"[]) v("v0", "v1", "v2", "v3") ON CONFLICT ("id") DO UPDATE SET "a.b" = "excluded"."a.b", "f4" = "excluded"."f4", "bit1" = "excluded"."bit1";
-- "{\"1\",\"2\"}", "{\"O'Brien \\\\ ?\",NULL}", "{\"0.1\",NULL}", "{\"1\",NULL}"

-- update: many, composite key
update "Legacy ""S"""."tricky ?" as "t" set "latin" = "v"."v2", "flag" = "v"."v3" from unnest($1::text[], $2::integer[], $3::character varying[], $4::boolean[]) v("v0", "v1", "v2", "v3") where "t"."a.b" = "v"."v0" and "t"."x?y" = "v"."v1";
-- "{\"O'Brien \\\\ ?\",\"a\\\"{,}\"}", "{\"-7\",\"2147483647\"}", "{\"Ärger\",\"漢字\"}", "{\"true\",\"false\"}"
