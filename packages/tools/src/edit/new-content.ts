import { countLines, type DecodedText, formatRemarks, linesInWords } from '@countersign/host';
import type { RewrittenText } from './file-edit.js';
import { refuseOmission } from './omission.js';

/**
 * A complete new content in the clothes of the file that it replaces. Encoding,
 * byte order mark and line endings are kept: a model writes plain `\n` and does
 * not see the rest. A content that has `\r\n` of its own means it. The final
 * newline is the content's: a complete new text says itself how it ends.
 */
export function newContent(present: DecodedText | null, content: string, shown: string): RewrittenText {
  refuseOmission({ text: content, known: present?.text ?? '', shown });
  const marked = content.startsWith('\ufeff');
  const encoding = present?.encoding ?? 'utf-8';
  const body = marked ? content.slice(1) : content;
  const lineEnding = present?.lineEnding === '\r\n' && !body.includes('\r\n') ? '\r\n' : '\n';
  const text = lineEnding === '\r\n' ? body.replaceAll('\n', '\r\n') : body;
  const lines = linesInWords(countLines(text));
  return {
    text,
    encoding,
    bom: marked || (present?.bom ?? false),
    line: null,
    done: present === null ? `Created ${shown} with ${lines}` : `Wrote ${shown}: now ${lines}`,
    kept: present === null ? [] : formatRemarks({ encoding, bom: present.bom, lineEnding }),
    remarks: [],
  };
}
