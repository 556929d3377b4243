import { type Entries, type Excerpt, nearestNames, numbered } from './entry.js';

/** What can go wrong with files and edits of them. */
export type FileFailure =
  | { readonly code: 'file_not_found'; readonly path: string; readonly nearest: readonly string[] }
  | { readonly code: 'target_is_directory'; readonly path: string; readonly nearest?: readonly string[] }
  | { readonly code: 'target_is_not_directory'; readonly path: string }
  | { readonly code: 'target_is_special'; readonly path: string; readonly what: string }
  | { readonly code: 'invalid_path'; readonly path: string; readonly problem: string }
  | { readonly code: 'permission_denied'; readonly path: string }
  | { readonly code: 'binary_file'; readonly path: string; readonly mimeType: string }
  | {
      readonly code: 'file_too_large';
      readonly path: string;
      readonly bytes: number;
      readonly bytesMax: number;
    }
  | {
      readonly code: 'media_too_large';
      readonly path: string;
      readonly mimeType: string;
      readonly bytes: number;
      readonly bytesMax: number;
    }
  | {
      readonly code: 'unencodable_content';
      readonly path: string;
      readonly encoding: string;
      readonly character: string;
    }
  | { readonly code: 'stale_file'; readonly path: string }
  | { readonly code: 'no_space_left'; readonly path: string }
  | { readonly code: 'file_write_failure'; readonly path: string; readonly message: string }
  | { readonly code: 'read_content_failure'; readonly path: string; readonly message: string }
  | {
      readonly code: 'edit_no_occurrence_found';
      readonly path: string;
      /** How far the search went: in files and texts beyond a limit only exact matches are looked for. */
      readonly searched: 'exact' | 'exact and similar';
      readonly nearest: readonly Excerpt[];
      readonly remarks: readonly string[];
    }
  | {
      readonly code: 'edit_expected_occurrence_mismatch';
      readonly path: string;
      readonly match: 'exact' | 'flexible' | 'fuzzy';
      readonly expected: number;
      readonly found: number;
      readonly places: readonly Excerpt[];
    }
  | { readonly code: 'edit_no_change'; readonly path: string; readonly reason: string }
  | { readonly code: 'attempt_to_create_existing_file'; readonly path: string }
  | {
      readonly code: 'edit_omission_placeholder';
      readonly path: string;
      readonly line: number;
      readonly text: string;
    };

export const FILE_FAILURES: Entries<FileFailure> = {
  file_not_found: {
    audience: 'model',
    when: 'A path names nothing.',
    message: ({ path, nearest }) =>
      `${path} does not exist. ${nearestNames(nearest, 'Nothing nearby has a similar name.')}`,
    hint: () => 'List the directory to see what is there.',
  },
  target_is_directory: {
    audience: 'model',
    when: 'A file was expected and the path is a directory.',
    message: ({ path, nearest = [] }) =>
      [`${path} is a directory.`, nearestNames(nearest, '')].filter((text) => text !== '').join(' '),
    hint: () => 'Use list_directory to see what is in it, or name a file.',
  },
  target_is_not_directory: {
    audience: 'model',
    when: 'A directory was expected and the path is something else.',
    message: ({ path }) => `${path} is not a directory.`,
    hint: () => 'Name a directory, or use read_file for a file.',
  },
  target_is_special: {
    audience: 'model',
    when: 'The path is a pipe, socket or device.',
    message: ({ path, what }) => `${path} is ${what}, not a regular file.`,
    hint: () => 'Only regular files can be read or written.',
  },
  invalid_path: {
    audience: 'model',
    when: 'A path is not valid.',
    message: ({ path, problem }) => `"${path}" is not a usable path: ${problem}.`,
    hint: () => 'Give a path relative to the workspace, or an absolute one.',
  },
  permission_denied: {
    audience: 'model',
    when: 'The operating system refused access.',
    message: ({ path }) => `The operating system does not permit access to ${path}.`,
    hint: () => 'Choose another file, or ask the user to change its permissions.',
  },
  binary_file: {
    audience: 'model',
    when: 'A file with no readable text was asked for as text.',
    message: ({ path, mimeType }) => `${path} is not text (${mimeType}).`,
    hint: () => 'Text, common images and PDF can be read. Use a program that supports this format.',
  },
  file_too_large: {
    audience: 'model',
    when: 'A file is beyond the size limit.',
    message: ({ path, bytes, bytesMax }) => `${path} has ${bytes} bytes; the limit is ${bytesMax}.`,
    hint: () => 'Read a part of it with start_line and end_line, or search it.',
  },
  media_too_large: {
    audience: 'model',
    when: 'An image or PDF is too large for a model.',
    message: ({ path, mimeType, bytes, bytesMax }) =>
      `${path} (${mimeType}) has ${bytes} bytes; the limit is ${bytesMax}.`,
    hint: () => 'Make a smaller copy, for example scaled down or with fewer pages, and read that.',
  },
  unencodable_content: {
    audience: 'model',
    when: "New content holds a character that the file's encoding cannot express.",
    message: ({ path, encoding, character }) =>
      `${path} is stored as ${encoding}, which cannot encode ${character}.`,
    hint: () => 'Omit that character, or ask the user to convert the file to UTF-8. The file is unchanged.',
  },
  stale_file: {
    audience: 'model',
    when: 'A file changed between the plan that was approved and the run.',
    message: ({ path }) => `${path} changed since this call was planned.`,
    hint: () => 'Read it again, then retry. Nothing was written.',
  },
  no_space_left: {
    audience: 'person',
    when: 'The disk is full.',
    message: ({ path }) => `No space is left to write ${path}.`,
    hint: () => 'Free some space, then try again. The old file is unchanged.',
  },
  file_write_failure: {
    audience: 'model',
    when: 'A file could not be written.',
    message: ({ path, message }) => `${path} could not be written: ${message}`,
    hint: () => 'The old file, if any, is unchanged. Correct the cause, then try again.',
  },
  read_content_failure: {
    audience: 'model',
    when: 'A file or directory could not be read.',
    message: ({ path, message }) => `${path} could not be read: ${message}`,
    hint: () => 'Correct the cause, then try again.',
  },
  edit_no_occurrence_found: {
    audience: 'model',
    when: 'The text to be replaced is not in the file.',
    message: ({ path, searched, nearest, remarks }) =>
      [
        searched === 'exact'
          ? `old_string does not occur exactly in ${path}, which is too large for a similarity search.`
          : `old_string does not occur in ${path}, neither exactly, nor with other white space, nor with up to 10 % of its characters different.`,
        ...remarks,
        ...(nearest.length > 0 ? [`Nearest to it:\n${numbered(nearest)}`] : []),
      ].join(' '),
    hint: () =>
      'Read the file, then send old_string exactly as it is in the file, without line numbers. The file is unchanged.',
  },
  edit_expected_occurrence_mismatch: {
    audience: 'model',
    when: 'The text to be replaced occurs more or fewer times than expected.',
    message: ({ path, match, expected, found, places }) => {
      const times = found === 1 ? 'once' : `${found} times`;
      const where = {
        exact: `occurs ${times} in ${path}`,
        flexible: `occurs ${times} in ${path}, apart from white space`,
        fuzzy: `does not occur exactly in ${path}, but a similar text does, ${times}`,
      }[match];
      return `old_string ${where}; expected: ${expected}.\n${numbered(places)}`;
    },
    hint: ({ found, match }) =>
      found > 1 && match !== 'fuzzy'
        ? 'Add surrounding lines to old_string until it matches only one place, or set expected_replacements (or allow_multiple) to replace them all. The file is unchanged.'
        : 'Send old_string exactly as it is in the file, and expected_replacements with the right count. The file is unchanged.',
  },
  edit_no_change: {
    audience: 'model',
    when: 'An edit would not change the file.',
    message: ({ path, reason }) => `This edit changes nothing in ${path}: ${reason}.`,
    hint: () => 'Continue if that is intended; otherwise send another new_string.',
  },
  attempt_to_create_existing_file: {
    audience: 'model',
    when: 'An edit with an empty old_string, which creates a new file, names a file that exists.',
    message: ({ path }) => `${path} exists and is not empty, and an empty old_string is only for new files.`,
    hint: () =>
      'Give the text to be replaced as old_string, or use write_file to replace the whole content. The file is unchanged.',
  },
  edit_omission_placeholder: {
    audience: 'model',
    when: 'New content has a placeholder instead of the full lines.',
    message: ({ path, line, text }) =>
      `Line ${line} of the new text for ${path} is a placeholder for omitted lines: ${text}`,
    hint: () =>
      'It would be written literally. Send the full lines, or replace a smaller part of the file. The file is unchanged.',
  },
};
