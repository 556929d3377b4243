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
