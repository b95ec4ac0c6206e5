import { render } from 'preact';
import './style.css';

render(<h1>Mayfly</h1>, document.body);
