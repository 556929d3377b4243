export type Attributes = { readonly [name: string]: string };

/**
 * `unseen`: no reader of the page sees it as text. `surroundings`: what is around the content on every page of a
 * site, judged by names; if little else is left, it was the content.
 */
export type Omission = 'unseen' | 'surroundings';

export function omissionOf(
  tag: string,
  attributes: Attributes,
  where: 'in content' | 'around',
): Omission | null {
  if (tag === 'html' || tag === 'body') return null;
  if (UNSEEN_TAGS.has(tag) || isHidden(attributes)) return 'unseen';
  if (tag === 'main' || tag === 'article') return null;
  if (tag === 'nav' || SURROUNDING_ROLES.has(attributes['role'] ?? '')) return 'surroundings';
  if (where === 'around' && (tag === 'header' || tag === 'footer' || tag === 'aside')) return 'surroundings';
  const names = `${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`.split(/\s+/);
  return names.some((name) => SURROUNDING_NAMES.test(name)) ? 'surroundings' : null;
}

const UNSEEN_TAGS = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'canvas',
  'iframe',
  'object',
  'embed',
  'audio',
  'video',
  'map',
  'dialog',
  'button',
  'select',
  'datalist',
  'textarea',
]);

const SURROUNDING_ROLES = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'search',
  'complementary',
  'dialog',
]);

const SURROUNDING_NAMES =
  /^(site|page|main|global|top|bottom|left|right)?[-_]?(nav|navbar|navigation|menu|sidebar|breadcrumbs?|footer|cookies?|cookie-?(banner|consent|notice)|ads?|advert|advertisement|newsletter|pagination|social|share)([-_](bar|list|links|menu|wrapper|container))?$/i;

const isHidden = (attributes: Attributes): boolean =>
  attributes['hidden'] !== undefined ||
  attributes['aria-hidden'] === 'true' ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes['style'] ?? '');
