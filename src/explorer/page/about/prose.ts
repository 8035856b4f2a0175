/** Turns Markdown into a tree of a few harmless elements. Raw HTML stays text, so a description can never run a script. Pure. */
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { withoutEntities } from './entities.ts';
import { webUrl } from './web-url.ts';

type Heading = 'h3' | 'h4' | 'h5' | 'h6';
type Tag =
  | ('p' | 'ul' | 'ol' | 'li' | 'blockquote' | 'pre' | 'code' | 'strong' | 'em' | 'del' | 'br' | 'hr' | 'a' | Heading)
  | ('table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td');

/** A text, or an element with its content. */
export type Prose = string | ProseElement;
export interface ProseElement {
  readonly tag: Tag;
  readonly children: readonly Prose[];
  /** A link's address: always http, https or mailto. */
  readonly href?: string;
  /** An ordered list's first number. */
  readonly start?: number;
  /** Whether a cell is aligned to the end, as numbers are. */
  readonly isNumber?: boolean;
}

/** Reads Markdown. Its headings are placed below a second-level heading, without skipping a level. */
export function proseOf(markdown: string): readonly Prose[] {
  const tokens = lexer(markdown).filter(isMarked);
  const depths = [...new Set(tokens.flatMap((one) => (one.type === 'heading' ? [one.depth] : [])))].sort();
  const prose: Prose[] = [];
  let level = 2;
  for (const token of tokens) {
    if (token.type !== 'heading') prose.push(...block(token));
    else {
      level = Math.min(depths.indexOf(token.depth) + 3, level + 1, 6);
      prose.push(element(headings[level - 3] ?? 'h6', inline(token.tokens)));
    }
  }
  return prose;
}

const headings: readonly Heading[] = ['h3', 'h4', 'h5', 'h6'];
const types = ['blockquote', 'br', 'checkbox', 'code', 'codespan', 'def', 'del', 'em', 'escape', 'heading', 'hr'];
const moreTypes = ['html', 'image', 'link', 'list', 'list_item', 'paragraph', 'space', 'strong', 'table', 'text'];
const known: ReadonlySet<string> = new Set([...types, ...moreTypes]);
/** Without extensions, the lexer returns no other tokens. */
const isMarked = (token: Token): token is MarkedToken => known.has(token.type);

const element = (tag: Tag, children: readonly Prose[]): ProseElement => ({ tag, children });

const blocks = (tokens: readonly Token[]): readonly Prose[] => tokens.filter(isMarked).flatMap(block);

function block(token: MarkedToken): readonly Prose[] {
  switch (token.type) {
    case 'paragraph':
      return [element('p', inline(token.tokens))];
    case 'heading':
      return [element('p', [element('strong', inline(token.tokens))])];
    case 'list':
      return [list(token)];
    case 'blockquote':
      return [element('blockquote', blocks(token.tokens))];
    case 'code':
      return [element('pre', [element('code', [token.text])])];
    case 'table':
      return [table(token)];
    case 'hr':
      return [element('hr', [])];
    case 'html':
      return [element('p', [token.raw.trim()])];
    case 'space':
    case 'def':
      return [];
    default:
      return inline([token]);
  }
}

function list({ ordered, start, items }: Tokens.List): ProseElement {
  const entries = items.map(({ tokens }) => element('li', blocks(tokens)));
  return ordered ? { ...element('ol', entries), start: Number(start) } : element('ul', entries);
}

function table({ header, rows }: Tokens.Table): ProseElement {
  const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
    element(
      'tr',
      cells.map((cell) => ({ ...element(tag, inline(cell.tokens)), isNumber: cell.align === 'right' })),
    );
  const body = rows.map((cells) => row(cells, 'td'));
  return element('table', [element('thead', [row(header, 'th')]), element('tbody', body)]);
}

const inline = (tokens: readonly Token[]): readonly Prose[] => tokens.filter(isMarked).flatMap(inlineOf);

function inlineOf(token: MarkedToken): readonly Prose[] {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [element(token.type, inline(token.tokens))];
    case 'codespan':
      return [element('code', [token.text])];
    case 'br':
      return [element('br', [])];
    case 'link':
      return [link(token, inline(token.tokens))];
    case 'image':
      return [link(token, [token.text || token.href])];
    case 'checkbox':
      return [token.checked ? '☑ ' : '☐ '];
    case 'escape':
      return [token.text];
    case 'text':
      return token.tokens === undefined ? [withoutEntities(token.text)] : inline(token.tokens);
    default:
      return [token.raw];
  }
}

/** A link. It stays as written if its address is not a web or mail address, such as `javascript:`. */
function link({ href, raw }: Tokens.Link | Tokens.Image, children: readonly Prose[]): Prose {
  const url = webUrl(href);
  return url === null ? raw : { ...element('a', children), href: url };
}
