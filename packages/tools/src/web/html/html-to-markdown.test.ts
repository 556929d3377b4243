import { stopwatch } from '@countersign/testkit';
import { describe, expect, test } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.js';

const never = new AbortController().signal;
const read = (html: string) => htmlToMarkdown(html, new URL('https://example.org/docs/page.html'), never);
const markdown = async (html: string) => (await read(html)).markdown;

describe('Markdown of', () => {
  test.each([
    ['paragraphs', '<p>One\n two</p><p>Three<br>four', 'One two\n\nThree\nfour'],
    ['headings', '<h1>A <em>b</em></h1>text<h3>C</h3>', '# A *b*\n\ntext\n\n### C'],
    [
      'links, made absolute',
      'See <a href="../x?y=1"> the <b>docs</b> </a>.',
      'See [the **docs**](https://example.org/x?y=1) .',
    ],
    [
      'links around blocks',
      '<a href="/x"><div><h3>T</h3><p>more</p></div></a>',
      '[T more](https://example.org/x)',
    ],
    ['links to nowhere', '<a href="#top">a</a> <a href="javascript:alert(1)">b</a> <a href="/x"></a>', 'a b'],
    [
      'the base of links',
      '<base href="https://example.net/d/"><a href="x">t</a>',
      '[t](https://example.net/d/x)',
    ],
    [
      'images by their text',
      '<img src="a.png" alt="A  cat"><img src="b.png"><img src="data:x" alt="dog">',
      '![A cat](https://example.org/docs/a.png)dog',
    ],
    [
      'lists',
      '<ul><li>a<li><p>b</p><ol start=3><li>c</li><li>d</li></ol></ul>after',
      '- a\n- b\n\n  3. c\n  4. d\n\nafter',
    ],
    ['quotations', '<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n>\n> b\n\nc'],
    ['definitions', '<dl><dt>a</dt><dd>b</dd></dl>', 'a\n: b'],
    ['inline code', 'Call <code>f( <a href=x>x</a> )</code> or <kbd>a`b</kbd>', 'Call `f( x )` or `` a`b ``'],
    ['characters by name', 'a&nbsp;&amp;&#8212;&lt;b&gt;', 'a &—<b>'],
  ])('%s [T3]', async (_, html, expected) => {
    expect(await markdown(html)).toBe(expected);
  });

  test('code blocks, with their language and blanks [T3]', async () => {
    const html =
      '<pre class="x"><code class="language-ts">\nif (a &lt; b) {\n  <span>run</span>();\n\n}\n</code></pre>' +
      '<pre>```\nx</pre><ul><li>do:<pre>a\n b</pre></ul>';
    expect(await markdown(html)).toBe(
      '```ts\nif (a < b) {\n  run();\n\n}\n```\n\n````\n```\nx\n````\n\n- do:\n\n  ```\n  a\n   b\n  ```',
    );
  });

  test('tables of data as tables, with what is missing and what spans [T3]', async () => {
    const html =
      '<table><caption>Sizes</caption><thead><tr><th>Name<th>Size</thead>' +
      '<tr><td>a|b<td><code>1</code><br>GB<tr><td colspan=2>both<tr><td>c</table>after';
    expect(await markdown(html)).toBe(
      'Sizes\n\n| Name | Size |\n| --- | --- |\n| a\\|b | `1` GB |\n| both |  |\n| c |  |\n\nafter',
    );
  });

  test('tables that lay out a page as what is in them [T3]', async () => {
    const html =
      '<table><tr><td><h1>T</h1><p>one</p><p>two</p><td><table><tr><td>a<td>b<tr><td>c<td>d</table></table>';
    expect(await markdown(html)).toBe('# T\n\none\n\ntwo\n| a | b |\n| --- | --- |\n| c | d |');
  });
});

describe('omitted is', () => {
  test('what a browser does not show [T3]', async () => {
    const html =
      '<title> A\n page </title><style>p{}</style><script>if (a<b) alert("</p>")</script>' +
      '<noscript>on</noscript><svg><title>icon</title></svg><template>t</template>' +
      '<p hidden>h</p><p aria-hidden="true">h</p><p style="color:red; display : none">h</p>' +
      '<button>Press</button><p>seen</p><!-- said --><iframe>f</iframe>';
    expect(await read(html)).toEqual({ title: 'A page', markdown: 'seen', whole: true });
  });

  test('what is around the content on every page [T3]', async () => {
    const html =
      '<header><a href="/">Home</a></header><nav><ul><li>Menu</ul></nav><div class="site-sidebar x">Side</div>' +
      '<main><header><h1>Title</h1></header><p>The content of this page.</p><aside>A note</aside></main>' +
      '<div>Also read</div><footer>Imprint</footer>';
    expect(await markdown(html)).toBe('# Title\n\nThe content of this page.\n\nA note');
  });

  test('nothing, where little else would be left', async () => {
    const html = '<nav><a href="/a">All pages of the site</a></nav><p>See above</p><main></main>';
    expect(await markdown(html)).toBe('[All pages of the site](https://example.org/a)\n\nSee above');
  });
});

test('a page that is nested endlessly is read as far as it goes, and soon [T3]', async () => {
  const html = `<p>begin</p>${'<div>'.repeat(200_000)}deep`;
  const elapsedMs = stopwatch();
  expect(await read(html)).toEqual({ title: null, markdown: 'begin', whole: false });
  expect(elapsedMs()).toBeLessThan(2_000);
});

test('a large page lets others have their turn', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  await read('<p>some <b>text</b> of a page</p>'.repeat(30_000));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(10);
});

test('reading stops when the signal aborts', async () => {
  const stop = new AbortController();
  const reading = htmlToMarkdown('<p>text</p>'.repeat(100_000), new URL('https://example.org/'), stop.signal);
  stop.abort(new Error('enough'));
  await expect(reading).rejects.toThrow('enough');
});
