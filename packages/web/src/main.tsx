/**
 * The page: inbox, sessions, rules, grants, audit, figures.
 *
 * What enters: the server's event stream and answers, and the person's clicks and keys. What leaves: requests of the server's own HTTP interface.
 *
 * What holds: the page uses nothing that another client could not use; foreign text is never markup; a key counts on a question
 * only after the question could be seen.
 */

import { createClient } from '@countersign/server/client';
import { createRoot } from 'react-dom/client';
import { BrowserSecret } from './connection/browser-secret.js';
import { Entrance } from './entrance.js';
import { applyTheme } from './parts/theme.js';

const element = document.getElementById('page');
if (!element) throw new Error('index.html has no place for the page');
applyTheme();
const secret = new BrowserSecret();
createRoot(element).render(<Entrance api={createClient({ secret: secret.get })} secret={secret} />);
