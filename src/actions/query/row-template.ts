/** A filter of the configuration × the claims of a caller → a filter without claims. Pure. */
import { LosslessNumber } from 'lossless-json';
import { Claim, type RowTemplate, type TemplateObject, type TemplateValue } from '../../model/claim.ts';
import type { Json, JsonObject } from '../../model/value.ts';
import { claimAt } from '../../values/claim-at.ts';
import { isList } from '../../values/json.ts';
import type { Filters } from './filters.ts';

/**
 * Fills in the claims. Null if a claim is missing, or is neither a text, number or boolean nor a list of them: we never drop the filter, or
 * compare with an empty value, instead. Members are sorted, so that equal filters have equal JSON.
 */
export function fillIn(template: RowTemplate, claims: JsonObject): Filters | null {
  let isWhole = true;
  const value = (one: TemplateValue): Json => {
    if (!(one instanceof Claim)) return isListOfValues(one) ? one.map(value) : isMapping(one) ? object(one) : one;
    const found = claimAt(claims, one.path);
    if (isUsable(found)) return found;
    isWhole = false;
    return null;
  };
  const object = (members: TemplateObject): JsonObject =>
    Object.fromEntries(
      Object.entries(members)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, one]) => [name, inList(name, one, value(one))]),
    );
  const filters = isListOfFilters(template) ? template.map(object) : object(template);
  return isWhole ? filters : null;
}

/** Identity providers send a list with one member as the member itself. */
const inList = (name: string, template: TemplateValue, value: Json): Json =>
  template instanceof Claim && (name === 'in' || name === 'nin') && !isList(value) ? [value] : value;

function isUsable(value: Json | undefined): value is Json {
  return value !== undefined && (isScalar(value) || (isList(value) && value.every(isScalar)));
}

const isScalar = (value: Json): boolean =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  value instanceof LosslessNumber;

/** The template, with every condition on a claim replaced by one that matches nothing, so that we can check the rest without a caller. */
export function withoutClaims(template: RowTemplate): Filters {
  const nothing = { in: [] };
  const object = (members: TemplateObject): JsonObject =>
    Object.fromEntries(
      Object.entries(members).map(([name, one]) => [name, name.startsWith('$') ? value(one) : compared(one)]),
    );
  const compared = (one: TemplateValue): Json =>
    one instanceof Claim ? nothing : isMapping(one) ? operators(one) : value(one);
  const operators = (members: TemplateObject): JsonObject =>
    Object.fromEntries(
      Object.entries(members).map(([op, one]) => (one instanceof Claim ? ['in', []] : [op, value(one)])),
    );
  const value = (one: TemplateValue): Json =>
    one instanceof Claim ? null : isListOfValues(one) ? one.map(value) : isMapping(one) ? object(one) : one;
  return isListOfFilters(template) ? template.map(object) : object(template);
}

/** The claims in a part of a filter. */
export function claimsIn(template: TemplateValue): readonly Claim[] {
  if (template instanceof Claim) return [template];
  if (isListOfValues(template)) return template.flatMap(claimsIn);
  return isMapping(template) ? Object.values(template).flatMap(claimsIn) : [];
}

const isListOfFilters = (template: RowTemplate): template is readonly TemplateObject[] => Array.isArray(template);
const isListOfValues = (value: TemplateValue): value is readonly TemplateValue[] => Array.isArray(value);

const isMapping = (value: TemplateValue): value is TemplateObject =>
  typeof value === 'object' &&
  value !== null &&
  !isListOfValues(value) &&
  !(value instanceof LosslessNumber) &&
  !(value instanceof Claim);
